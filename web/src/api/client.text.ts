import { texts } from '../text/language.svelte'

/** Error messages for when the server gives none. */
export const clientWords = texts({
  en: {
    offline: 'The server cannot be reached. Are you online?',
    broken: 'The server gave an answer that makes no sense. Please try again.',
  },
  de: {
    offline: 'Der Server ist nicht erreichbar. Bist du online?',
    broken: 'Der Server hat etwas Unverständliches geantwortet. Bitte versuch es noch einmal.',
  },
})
