import { texts } from '../text/language.svelte'

/** Texts of the shared parts. */
export const partWords = texts({
  en: {
    close: 'Close',
    dismiss: 'Dismiss',
    loading: 'One moment …',
    home: 'All games',
    settings: 'Settings',
    noPage: 'There is nothing here',
    noPageMore: 'The address may be old, or mistyped.',
    skip: 'Skip to the content',
    notices: 'What happens',
  },
  de: {
    close: 'Schließen',
    dismiss: 'Ausblenden',
    loading: 'Einen Moment …',
    home: 'Alle Spiele',
    settings: 'Einstellungen',
    noPage: 'Hier ist nichts',
    noPageMore: 'Die Adresse ist vielleicht veraltet oder vertippt.',
    skip: 'Zum Inhalt springen',
    notices: 'Was geschieht',
  },
})
