import { texts } from '../text/language.svelte'

/** Texts of the hand. */
export const hand = texts({
  en: {
    hand: (count: number) => `Your hand, ${count} ${count === 1 ? 'card' : 'cards'}`,
    stack: (cards: string) => `${cards} in your hand`,
  },
  de: {
    hand: (count: number) => `Deine Hand, ${count} ${count === 1 ? 'Karte' : 'Karten'}`,
    stack: (cards: string) => `${cards} auf deiner Hand`,
  },
})

/** Texts of the prompt. */
export const prompt = texts({
  en: { fewer: 'One card fewer', more: 'One card more', cancel: 'Cancel', number: 'How many' },
  de: { fewer: 'Eine Karte weniger', more: 'Eine Karte mehr', cancel: 'Abbrechen', number: 'Anzahl' },
})

/** Texts of the dialog with the content of a pile. */
export const pile = texts({
  en: { close: 'Close', empty: 'Nothing here yet.' },
  de: { close: 'Schließen', empty: 'Hier liegt noch nichts.' },
})
