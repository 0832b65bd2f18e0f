import { texts } from '../../text/language.svelte'

/** Texts of the lesson. */
export const learnWords = texts({
  en: {
    title: (game: string) => `Learn ${game}`,
    home: 'All games',
    rules: 'Rules',
    board: 'The board',
    steps: 'Steps',
    step: (step: number, steps: number) => `Step ${step} of ${steps}`,
    done: 'done',
    back: 'Back',
    next: 'Next',
    skip: 'Skip',
    fold: 'Try it',
    unfold: 'Show the text again',
    end: 'That is the whole game',
    endMore: 'You know everything you need. The rest comes while playing.',
    play: 'Play your first game',
    playMore: 'Against “First steps”, the gentlest level. You can take back moves and ask for hints.',
    restart: 'From the beginning',
  },
  de: {
    title: (game: string) => `${game} lernen`,
    home: 'Alle Spiele',
    rules: 'Regeln',
    board: 'Der Spielplan',
    steps: 'Schritte',
    step: (step: number, steps: number) => `Schritt ${step} von ${steps}`,
    done: 'geschafft',
    back: 'Zurück',
    next: 'Weiter',
    skip: 'Überspringen',
    fold: 'Ausprobieren',
    unfold: 'Text wieder zeigen',
    end: 'Das ist das ganze Spiel',
    endMore: 'Du weißt alles, was du brauchst. Der Rest kommt beim Spielen.',
    play: 'Erste Partie spielen',
    playMore:
      'Gegen „Erste Schritte“, die sanfteste Stufe. Du kannst Züge zurücknehmen und um Tipps bitten.',
    restart: 'Von vorn',
  },
})
