import { texts } from '../../text/language.svelte'

/** Texts around the goal of a game in a player's first one. */
export const firstWords = texts({
  en: {
    title: 'What it is about',
    more: 'How it works',
    done: 'Got it',
  },
  de: {
    title: 'Worum es geht',
    more: 'So geht’s',
    done: 'Alles klar',
  },
})
