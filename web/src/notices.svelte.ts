/** What is told to everybody at once: spoken by a screen reader, or shown for a moment. */
import { sentence } from './text/sentence'

interface Notice {
  id: number
  text: string
}

const SPOKEN = 6 // as many stay in the page for a screen reader to finish
const SHOWN_FOR = 5000

export const notices: { spoken: Notice[]; shown: Notice | null } = $state({
  spoken: [],
  shown: null,
})

let count = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Have a screen reader say something when it has time. */
export function announce(text: string): void {
  if (!text) return
  count += 1
  notices.spoken = [...notices.spoken, { id: count, text }].slice(-SPOKEN)
}

/** Show a sentence for a while, and say it. */
export function tell(words: string): void {
  const text = sentence(words)
  announce(text)
  notices.shown = { id: count, text }
  clearTimeout(timer)
  timer = setTimeout(dismiss, SHOWN_FOR + 40 * text.length)
}

/** Take away the sentence shown. */
export function dismiss(): void {
  clearTimeout(timer)
  notices.shown = null
}
