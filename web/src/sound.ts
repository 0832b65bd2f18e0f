import { prefs } from './prefs.svelte'

const NOTES = { move: [330], turn: [523, 659], end: [392, 523, 784] } as const
let context: AudioContext | null = null

/** Play a short sound, unless sounds are off. */
export function play(what: keyof typeof NOTES): void {
  if (!prefs.sound) return
  context ??= new AudioContext()
  const at = context.currentTime
  NOTES[what].forEach((frequency, index) => {
    const tone = new OscillatorNode(context!, { frequency, type: 'triangle' })
    const volume = new GainNode(context!, { gain: 0 })
    const start = at + index * 0.11
    volume.gain.setValueAtTime(0, start)
    volume.gain.linearRampToValueAtTime(0.12, start + 0.01)
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.16)
    tone.connect(volume).connect(context!.destination)
    tone.start(start)
    tone.stop(start + 0.18)
  })
}
