import { texts } from '../../text/language.svelte'

/** Texts around the rules. */
export const rulesWords = texts({
  en: {
    title: (game: string) => `Rules of ${game}`,
    home: 'All games',
    contents: 'Contents',
    colours: 'The colours',
    coloursMore: 'Six of them, in all games. Each has its symbol and its letter, so colour is never needed.',
    learn: 'Learn by playing',
    play: 'Play',
    unofficial:
      'Mandala, Patterns and Flowers are games by Trevor Benjamin and Brett J. Gilbert. This is an unofficial fan page; the rules are told in our own words.',
  },
  de: {
    title: (game: string) => `Regeln von ${game}`,
    home: 'Alle Spiele',
    contents: 'Inhalt',
    colours: 'Die Farben',
    coloursMore:
      'Sechs sind es, in allen Spielen. Jede hat ihr Zeichen und ihren Buchstaben; auf die Farbe kommt es also nie an.',
    learn: 'Beim Spielen lernen',
    play: 'Spielen',
    unofficial:
      'Mandala, Patterns und Flowers sind Spiele von Trevor Benjamin und Brett J. Gilbert. Dies ist eine inoffizielle Fan-Seite; die Regeln stehen hier in unseren eigenen Worten.',
  },
})
