import { texts } from '../../text/language.svelte'

/** Texts for a table whose seats are not all taken. */
export const waitingWords = texts({
  en: {
    title: (game: string) => `${game} with friends`,
    invite: 'Send this link. The game begins as soon as everybody sits.',
    inviteSeat: (seat: number) => `Link for seat ${seat}`,
    waiting: 'Waiting for somebody to sit down …',
    invited: (game: string) => `You are invited to a game of ${game}`,
    with: (names: string) => `With ${names}.`,
    sit: 'Sit down and play',
    sitOn: (seat: number) => `Sit down on seat ${seat}`,
    taken: 'Somebody already sits there.',
    notInvited: 'Only those who got a link can sit down here. You can watch when it begins.',
    seats: 'Seats',
    you: 'you',
    leave: 'Back to all games',
    learn: 'New to it? Here is how it goes',
  },
  de: {
    title: (game: string) => `${game} mit Freunden`,
    invite: 'Verschick diesen Link. Es geht los, sobald alle sitzen.',
    inviteSeat: (seat: number) => `Link für Platz ${seat}`,
    waiting: 'Noch ist ein Platz frei …',
    invited: (game: string) => `Du bist zu einer Partie ${game} eingeladen`,
    with: (names: string) => `Mit ${names}.`,
    sit: 'Hinsetzen und spielen',
    sitOn: (seat: number) => `Auf Platz ${seat} setzen`,
    taken: 'Da sitzt schon jemand.',
    notInvited: 'Hier kann sich nur setzen, wer einen Link bekommen hat. Zusehen kannst du, sobald es losgeht.',
    seats: 'Plätze',
    you: 'du',
    leave: 'Zurück zu allen Spielen',
    learn: 'Neu hier? So geht das Spiel',
  },
})
