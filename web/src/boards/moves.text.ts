import { colourNames } from '../look/colours.text'
import type { Colour } from '../look/colours'
import { texts } from '../text/language.svelte'

const words = texts({
  en: {
    cards: (count: number, colour: string) => (count === 1 ? `1 ${colour} card` : `${count} ${colour} cards`),
    centre: (cards: string, mandala: string) => `${cards} into the centre of mandala ${mandala}`,
    field: (cards: string, mandala: string) => `${cards} into your field of mandala ${mandala}`,
    discard: (cards: string) => `Discard ${cards}`,
    take: (colour: string) => `Take ${colour}`,
    give: (colour: string) => `Give ${colour} away`,
    open: (space: string) => `Open a group on ${space}`,
    flip: (space: string) => `Flip ${space}`,
    swap: (space: string) => `Swap on ${space}`,
    stop: 'Stop flipping',
    play: (cards: string, mandala: string) => `${cards} into mandala ${mandala}`,
    claim: (colour: string, value: string) => `Claim the tile ${colour} ${value}`,
    pass: 'Pass',
  },
  de: {
    cards: (count: number, colour: string) => (count === 1 ? `1 Karte ${colour}` : `${count} Karten ${colour}`),
    centre: (cards: string, mandala: string) => `${cards} ins Zentrum von Mandala ${mandala}`,
    field: (cards: string, mandala: string) => `${cards} in dein Feld von Mandala ${mandala}`,
    discard: (cards: string) => `${cards} abwerfen`,
    take: (colour: string) => `${colour} nehmen`,
    give: (colour: string) => `${colour} weggeben`,
    open: (space: string) => `Gruppe auf ${space} eröffnen`,
    flip: (space: string) => `${space} umdrehen`,
    swap: (space: string) => `Auf ${space} austauschen`,
    stop: 'Nicht weiter umdrehen',
    play: (cards: string, mandala: string) => `${cards} in Mandala ${mandala}`,
    claim: (colour: string, value: string) => `Plättchen ${colour} ${value} nehmen`,
    pass: 'Passen',
  },
})

/** A move in words, for the one who makes it. */
export function moveText(game: string, move: string): string {
  const cards = (letters: string): string => {
    return words.cards(letters.length, colourNames[letters[0] as Colour])
  }
  const [kind, rest] = [move[0]!, move.slice(1)]
  if (game === 'mandala') {
    if (kind === 'A') return words.centre(cards(rest.slice(1)), rest[0]!)
    if (kind === 'B') return words.field(cards(rest.slice(1)), rest[0]!)
    if (kind === 'C') return words.discard(cards(rest))
    return words.take(colourNames[rest as Colour])
  }
  if (game === 'patterns') {
    if (kind === 'G') return words.give(colourNames[rest as Colour])
    if (kind === 'O') return words.open(rest)
    if (kind === 'F') return words.flip(rest)
    if (kind === 'X') return words.swap(rest)
    return words.stop
  }
  if (kind === '-') return words.pass
  if (kind !== 'T') return words.play(cards(rest), kind)
  return words.claim(colourNames[rest[0] as Colour], rest.slice(1).replace('x', '×3'))
}
