import type { Colour } from '../../look/colours'
import { colourNames } from '../../look/colours.text'
import { texts } from '../../text/language.svelte'
import type { Shortcut } from '../contract'

/** Texts of Patterns outside its board. */
export const words = texts({
  en: {
    name: 'Patterns',
    about: 'Turn a field of tiles into your own patches of colour. Nothing is hidden.',
    facts: '2\u00a0players\u00a0· 15\u00a0min\u00a0· everything open',
    intro:
      'Open a group with your tile, then flip or swap tiles beside it to make it grow. Group 1 scores 1 a tile, group 6 scores 6.',
    scoring: 'Tiles beyond the first × number of the group',
    tieBreak: '',

    group: (size: number, colour: string, number: number) => `${colour}: ${size} ${size === 1 ? 'tile' : 'tiles'}, group ${number}`,

    give: (colour: string) => `Give ${colour} away`,
    open: (space: string) => `Open a group on ${space}`,
    flip: (space: string) => `Flip ${space}`,
    swap: (space: string) => `Swap on ${space}`,
    stop: 'Stop flipping',

    keyMove: 'go over the board',
    enter: 'Enter',
    keyAct: 'play on this space',
    keyKinds: 'open, flip, swap here',
    keyStop: 'stop flipping, after the end',
    keyCancel: 'cancel',
  },
  de: {
    name: 'Patterns',
    about: 'Mach aus einem bunten Feld deine eigenen Farbflächen. Nichts ist verborgen.',
    facts: '2\u00a0Personen\u00a0· 15\u00a0Min.\u00a0· alles offen',
    intro:
      'Eröffne mit deinem Plättchen eine Gruppe und lass sie wachsen: umdrehen oder austauschen. Gruppe 1 bringt 1 je Plättchen, Gruppe 6 bringt 6.',
    scoring: 'Plättchen ohne das erste × Nummer der Gruppe',
    tieBreak: '',

    group: (size: number, colour: string, number: number) => `${colour}: ${size} Plättchen, Gruppe ${number}`,

    give: (colour: string) => `${colour} weggeben`,
    open: (space: string) => `Gruppe auf ${space} eröffnen`,
    flip: (space: string) => `${space} umdrehen`,
    swap: (space: string) => `Auf ${space} austauschen`,
    stop: 'Nicht weiter umdrehen',

    keyMove: 'über den Spielplan gehen',
    enter: 'Eingabe',
    keyAct: 'auf diesem Feld ziehen',
    keyKinds: 'hier eröffnen, umdrehen, austauschen',
    keyStop: 'nach dem Ende nicht mehr umdrehen',
    keyCancel: 'abbrechen',
  },
})

export function moveText(move: string): string {
  const [kind, rest] = [move[0], move.slice(1)]
  if (kind === 'G') return words.give(colourNames[rest as Colour])
  if (kind === 'O') return words.open(rest)
  if (kind === 'F') return words.flip(rest)
  if (kind === 'X') return words.swap(rest)
  return words.stop
}

export function shortcuts(): Shortcut[] {
  return [
    { keys: ['←', '↑', '↓', '→'], does: words.keyMove },
    { keys: [words.enter], does: words.keyAct },
    { keys: ['o', 'f', 'x'], does: words.keyKinds },
    { keys: ['e'], does: words.keyStop },
    { keys: ['Esc'], does: words.keyCancel },
  ]
}
