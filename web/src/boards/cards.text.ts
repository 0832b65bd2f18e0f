/** What Mandala and Flowers say alike about cards in moves and about the keys that lay them. */
import { COLOURS, type Colour } from '../look/colours'
import { colourAdjectives } from '../look/colours.text'
import { texts } from '../text/language.svelte'
import type { Shortcut } from './contract'

const words = texts({
  en: {
    cards: (count: number, colour: string) => (count === 1 ? `1 ${colour} card` : `${count} ${colour} cards`),
    pick: 'choose the cards of this colour; once more to let go',
    count: 'then: how many cards',
    more: 'one card more or fewer',
    confirm: 'confirm',
    cancel: 'let go',
    move: 'go from one thing to the next',
    enter: 'Enter',
  },
  de: {
    cards: (count: number, colour: string) => (count === 1 ? `1 ${colour} Karte` : `${count} ${colour} Karten`),
    pick: 'Karten dieser Farbe wählen; noch einmal: loslassen',
    count: 'danach: wie viele Karten',
    more: 'eine Karte mehr oder weniger',
    confirm: 'bestätigen',
    cancel: 'loslassen',
    move: 'von einem zum nächsten gehen',
    enter: 'Eingabe',
  },
})

/** The cards of a move, `rr`, in words. */
export function cardsInWords(letters: string): string {
  return words.cards(letters.length, colourAdjectives[letters[0] as Colour])
}

/** The keys of a board with a hand, around those that lay cards and those for dissolving. */
export function cardShortcuts(laying: Shortcut[], dissolving: Shortcut[]): Shortcut[] {
  return [
    { keys: [...COLOURS], does: words.pick },
    ...laying,
    { keys: ['1', '…', '8'], does: words.count },
    { keys: ['+', '−'], does: words.more },
    { keys: [words.enter], does: words.confirm },
    { keys: ['Esc'], does: words.cancel },
    ...dissolving,
    { keys: ['←', '→', 'Tab'], does: words.move },
  ]
}
