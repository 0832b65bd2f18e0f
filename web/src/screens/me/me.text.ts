import { texts } from '../../text/language.svelte'

/** Texts of the screen that a personal link opens. */
export const meWords = texts({
  en: {
    title: 'Play as yourself on this device',
    text: 'This is a personal link. If it is yours, go on; whoever played here before is replaced.',
    yes: 'That is me',
    no: 'No, to the games',
    welcome: (name: string) => `Welcome back, ${name}.`,
  },
  de: {
    title: 'Auf diesem Gerät als du selbst spielen',
    text: 'Das ist ein persönlicher Link. Ist es deiner, dann mach weiter; wer bisher hier gespielt hat, wird ersetzt.',
    yes: 'Das bin ich',
    no: 'Nein, zu den Spielen',
    welcome: (name: string) => `Schön, dass du da bist, ${name}.`,
  },
})
