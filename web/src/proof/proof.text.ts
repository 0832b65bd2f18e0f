import { texts } from '../text/language.svelte'

/** Texts of the check of a deal. */
export const proofWords = texts({
  en: {
    intro:
      'Before the game the server tied itself to a secret number, and everybody who sat down added a number of their own. All cards follow from these. Your browser has just done the sums itself:',
    checking: 'Doing the sums …',
    fair: 'This deal was fair.',
    unfair: 'Something is not as it was promised.',
    secretRight: 'The secret is the one the server had tied itself to.',
    secretWrong: 'The secret is not the one the server had tied itself to.',
    noted: 'That tie is the one your browser noted when you sat down.',
    notNoted: 'That tie is another one than your browser noted when you sat down.',
    neverNoted: 'This browser noted nothing before the game, because you did not sit down with it.',
    sharesIn: 'Your own number is part of the deal.',
    sharesOut: 'Your own number is not part of the deal.',
    draws: (count: number) => `All ${count} draws came out as they had to.`,
    draw: (number: number, move: string, right: string) =>
      `Draw ${number} was ${move} and should have been ${right}.`,
    numbered: 'Every draw has its own number, and none was skipped.',
    skipped: (number: number) => `Number ${number} was skipped.`,
    repeated: (number: number) => `Number ${number} was used twice.`,
    setup: (number: number) => `In the setup, number ${number} is not in its place.`,
    impossible: (plies: number) => `The takeback to step ${plies} was not possible.`,
    takebacksSeen: 'The lines taken back are as many as your browser saw during the game.',
    takebacksNotSeen: 'The lines taken back are not as many as your browser saw during the game.',
    takebacks: (count: number) =>
      count === 1
        ? 'One line was taken back. This browser did not note whether that happened.'
        : `${count} lines were taken back. This browser did not note whether that happened.`,
    given: (plies: number) =>
      `The first ${plies} steps were taken from another game; they were not dealt here.`,
    nobody: 'Only computers played: nobody added a number to the server’s own.',
    not: 'What this does not prove',
    knows: 'That the server keeps the cards to come to itself. It knows them once the game has begun.',
    league: 'That the server and one of the players are not in league.',
    missing: 'That no games are missing which the server did not like.',
    weights: 'That what could be drawn is listed right: that follows from the rules and the record.',
    record: 'The record, to check it elsewhere',
    numbers: 'The numbers',
    commitment: 'Commitment',
    secret: 'Secret',
    share: (seat: string) => `Number of seat ${seat}`,
    insecure: 'Browsers do these sums only on secure pages (https). You can check the record elsewhere.',
  },
  de: {
    intro:
      'Vor dem Spiel hat sich der Server auf eine geheime Zahl festgelegt, und alle, die sich gesetzt haben, haben eine eigene Zahl beigesteuert. Daraus folgen alle Karten. Dein Browser hat es gerade selbst nachgerechnet:',
    checking: 'Es wird gerechnet …',
    fair: 'Hier wurde fair gegeben.',
    unfair: 'Etwas ist nicht so, wie es versprochen war.',
    secretRight: 'Die geheime Zahl ist die, auf die sich der Server festgelegt hatte.',
    secretWrong: 'Die geheime Zahl ist nicht die, auf die sich der Server festgelegt hatte.',
    noted: 'Diese Festlegung hat sich dein Browser gemerkt, als du dich gesetzt hast.',
    notNoted: 'Die Festlegung ist eine andere, als dein Browser sie sich beim Hinsetzen gemerkt hat.',
    neverNoted:
      'Dieser Browser hat sich vor dem Spiel nichts gemerkt, denn du hast dich nicht mit ihm gesetzt.',
    sharesIn: 'Deine eigene Zahl steckt in den Karten.',
    sharesOut: 'Deine eigene Zahl steckt nicht in den Karten.',
    draws: (count: number) => `Alle ${count} Ziehungen sind so ausgefallen, wie sie mussten.`,
    draw: (number: number, move: string, right: string) =>
      `Ziehung ${number} war ${move} und hätte ${right} sein müssen.`,
    numbered: 'Jede Ziehung hat ihre eigene Nummer, und keine wurde übersprungen.',
    skipped: (number: number) => `Die Nummer ${number} wurde übersprungen.`,
    repeated: (number: number) => `Die Nummer ${number} wurde zweimal verwendet.`,
    setup: (number: number) => `Beim Aufbau ist die Nummer ${number} nicht an ihrer Stelle.`,
    impossible: (plies: number) => `Die Rücknahme bis Schritt ${plies} war nicht möglich.`,
    takebacksSeen: 'Es sind so viele Rücknahmen, wie dein Browser während des Spiels gesehen hat.',
    takebacksNotSeen:
      'Es sind nicht so viele Rücknahmen, wie dein Browser während des Spiels gesehen hat.',
    takebacks: (count: number) =>
      count === 1
        ? 'Einmal wurde zurückgenommen. Ob das so war, hat sich dieser Browser nicht gemerkt.'
        : `${count}-mal wurde zurückgenommen. Ob das so war, hat sich dieser Browser nicht gemerkt.`,
    given: (plies: number) =>
      `Die ersten ${plies} Schritte stammen aus einer anderen Partie; sie wurden nicht hier gegeben.`,
    nobody: 'Es haben nur Computer gespielt: Niemand hat der Zahl des Servers etwas hinzugefügt.',
    not: 'Was das nicht beweist',
    knows:
      'Dass der Server die kommenden Karten für sich behält. Er kennt sie, sobald das Spiel begonnen hat.',
    league: 'Dass der Server nicht mit jemandem am Tisch unter einer Decke steckt.',
    missing: 'Dass keine Partien fehlen, die dem Server nicht gefielen.',
    weights:
      'Dass richtig aufgezählt ist, was gezogen werden konnte: Das folgt aus den Regeln und dem Protokoll.',
    record: 'Das Protokoll, um es anderswo zu prüfen',
    numbers: 'Die Zahlen',
    commitment: 'Festlegung',
    secret: 'Geheime Zahl',
    share: (seat: string) => `Zahl von Platz ${seat}`,
    insecure:
      'Browser rechnen das nur auf sicheren Seiten (https). Du kannst das Protokoll anderswo prüfen.',
  },
})
