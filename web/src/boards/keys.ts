/** The keys of the boards, for the help. */
import { texts } from '../text/language.svelte'

export interface Shortcut {
  keys: string[] // any of them
  does: string
}

const text = texts({
  en: {
    pick: 'choose the cards of this colour; once more to let go',
    takeColour: 'while dissolving: take this colour',
    centre: 'lay into the centre of mandala 1 or 2',
    field: 'lay into your field of mandala 1 or 2',
    discard: 'discard',
    mandala: 'lay into this mandala',
    tile: 'while dissolving: take this tile',
    count: 'then: how many cards',
    more: 'one card more or fewer',
    confirm: 'confirm',
    cancel: 'let go',
    pass: 'pass, when you must',
    move: 'go from one thing to the next',
    enter: 'Enter',
  },
  de: {
    pick: 'Karten dieser Farbe wählen; noch einmal: loslassen',
    takeColour: 'beim Auflösen: diese Farbe nehmen',
    centre: 'ins Zentrum von Mandala 1 oder 2 legen',
    field: 'in dein Feld von Mandala 1 oder 2 legen',
    discard: 'abwerfen',
    mandala: 'in dieses Mandala legen',
    tile: 'beim Auflösen: dieses Plättchen nehmen',
    count: 'danach: wie viele Karten',
    more: 'eine Karte mehr oder weniger',
    confirm: 'bestätigen',
    cancel: 'loslassen',
    pass: 'passen, wenn du musst',
    move: 'von einem zum nächsten gehen',
    enter: 'Eingabe',
  },
})

const LETTERS = ['r', 'o', 'y', 'g', 'v', 'k']

/** What the keys do on the board of a game, in the language of the moment. */
export function keys(game: 'mandala' | 'flowers'): Shortcut[] {
  const laying =
    game === 'mandala'
      ? [
          { keys: ['1', '2'], does: text.centre },
          { keys: ['3', '4'], does: text.field },
          { keys: ['0'], does: text.discard },
        ]
      : [{ keys: ['1', '2', '3'], does: text.mandala }]
  const dissolving =
    game === 'mandala'
      ? [{ keys: LETTERS, does: text.takeColour }]
      : [
          { keys: ['1', '2'], does: text.tile },
          { keys: ['p'], does: text.pass },
        ]
  return [
    { keys: LETTERS, does: text.pick },
    ...laying,
    { keys: ['1', '…', '8'], does: text.count },
    { keys: ['+', '−'], does: text.more },
    { keys: [text.enter], does: text.confirm },
    { keys: ['Esc'], does: text.cancel },
    ...dissolving,
    { keys: ['←', '→', 'Tab'], does: text.move },
  ]
}
