import { texts } from '../text/language.svelte'

/** The words of the hand. */
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

/** The words of the line that says what can be done. */
export const prompt = texts({
  en: { fewer: 'One card fewer', more: 'One card more', cancel: 'Cancel', number: 'How many' },
  de: { fewer: 'Eine Karte weniger', more: 'Eine Karte mehr', cancel: 'Abbrechen', number: 'Anzahl' },
})

/** The words of a pile that can be looked through. */
export const peek = texts({
  en: { close: 'Close', empty: 'Nothing here yet.' },
  de: { close: 'Schließen', empty: 'Hier liegt noch nichts.' },
})
