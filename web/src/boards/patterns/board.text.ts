import { texts } from '../../text/language.svelte'
import type { PatternsGroup } from '../../api/types'
import type { Kind } from './moves'

const EN_KINDS: Record<Kind, string> = { F: 'Flip', X: 'Swap', O: 'Open' }
const DE_KINDS: Record<Kind, string> = { F: 'Umdrehen', X: 'Austauschen', O: 'Eröffnen' }

const listed = (parts: string[], or: string) =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${or} ${parts.at(-1)}`

/** Texts of the board of Patterns. Colours are given by name. */
export const text = texts({
  en: {
    board: 'Board',
    points: (points: number) => (points === 1 ? '1 point' : `${points} points`),
    river: (who: string) => `River: ${who}`,
    bowl: (who: string) => `Bowl: ${who}`,
    exchange: (colour: string) => `Exchange tile: ${colour}`,
    emptyBowl: 'Empty bowl',
    place: (number: number) => `Number ${number}: free`,
    group: ({ number, size, scored, points }: PatternsGroup, colour: string) =>
      `Number ${number}: ${colour}, ${size === 1 ? '1 tile' : `${size} tiles`}, ` +
      `${number} × ${scored} = ${points}`,
    empty: (space: string) => `${space}, empty`,
    front: (space: string, colour: string) => `${space}, ${colour}, front`,
    back: (space: string, colour: string, who: string, number: number) =>
      who === '' ? `${space}, ${colour}, your group ${number}` : `${space}, ${colour}, ${who}’s group ${number}`,
    marker: (number: number) => `marker ${number}`,
    kind: (kind: Kind) => EN_KINDS[kind],
    can: (kinds: Kind[]) =>
      `you can ${listed(
        kinds.map((kind) => EN_KINDS[kind].toLowerCase()),
        'or',
      )}`,
    last: 'last move',
    flip: (space: string, colour: string, size: number, sum: string) =>
      `Flip ${space}: ${colour} grows to ${size} tiles, ${sum}`,
    swap: (space: string, colour: string, size: number, sum: string, taken: string) =>
      `Swap at ${space}: ${colour} grows to ${size} tiles, ${sum}. You get ${taken}`,
    open: (space: string, colour: string, number: number, taken: string) =>
      `Open ${colour} at ${space} as number ${number}. You get ${taken}`,
    turn: (kinds: Kind[], colour: string, number: number) =>
      `Your turn: ${listed(
        kinds.map((kind) => {
          if (kind === 'F') return 'flip a tile'
          return kind === 'X' ? `swap ${colour} in` : `open ${colour} as number ${number}`
        }),
        'or',
      )}`,
    asNumber: (number: number) => `no. ${number}`,
    others: (who: string) => `${who} is on the move`,
    layTile: (colour: string) => `Where shall your ${colour} tile go?`,
    give: (who: string) => `Which starting tile is for ${who}?`,
    giving: (who: string) => `${who} deals out the starting tiles`,
    gift: (given: string, kept: string) => `${given}, you keep ${kept}`,
    lastFlips: 'The game is ending. You may still flip tiles, or stop.',
    othersLastFlips: (who: string) => `The game is ending. ${who} may still flip tiles`,
    stop: 'Stop flipping',
    over: 'The game is over',
    setup: 'The tiles are being laid',
    choose: (space: string) => `What do you want to do at ${space}?`,
    cancel: 'Cancel',
  },
  de: {
    board: 'Spielplan',
    points: (points: number) => (points === 1 ? '1 Punkt' : `${points} Punkte`),
    river: (who: string) => `Fluss: ${who}`,
    bowl: (who: string) => `Schale: ${who}`,
    exchange: (colour: string) => `Tauschplättchen: ${colour}`,
    emptyBowl: 'Leere Schale',
    place: (number: number) => `Nummer ${number}: frei`,
    group: ({ number, size, scored, points }: PatternsGroup, colour: string) =>
      `Nummer ${number}: ${colour}, ${size} Plättchen, ${number} × ${scored} = ${points}`,
    empty: (space: string) => `${space}, leer`,
    front: (space: string, colour: string) => `${space}, ${colour}, Vorderseite`,
    back: (space: string, colour: string, who: string, number: number) =>
      who === '' ? `${space}, ${colour}, deine Gruppe ${number}` : `${space}, ${colour}, Gruppe ${number} von ${who}`,
    marker: (number: number) => `Marker ${number}`,
    kind: (kind: Kind) => DE_KINDS[kind],
    can: (kinds: Kind[]) =>
      `du kannst ${listed(
        kinds.map((kind) => DE_KINDS[kind].toLowerCase()),
        'oder',
      )}`,
    last: 'letzter Zug',
    flip: (space: string, colour: string, size: number, sum: string) =>
      `${space} umdrehen: ${colour} wächst auf ${size} Plättchen, ${sum}`,
    swap: (space: string, colour: string, size: number, sum: string, taken: string) =>
      `Auf ${space} austauschen: ${colour} wächst auf ${size} Plättchen, ${sum}. Du bekommst ${taken}`,
    open: (space: string, colour: string, number: number, taken: string) =>
      `${colour} auf ${space} als Nummer ${number} eröffnen. Du bekommst ${taken}`,
    turn: (kinds: Kind[], colour: string, number: number) =>
      `Du bist dran: ${listed(
        kinds.map((kind) => {
          if (kind === 'F') return 'umdrehen'
          return kind === 'X' ? `${colour} eintauschen` : `${colour} als Nummer ${number} eröffnen`
        }),
        'oder',
      )}`,
    asNumber: (number: number) => `Nr. ${number}`,
    others: (who: string) => `${who} ist dran`,
    layTile: (colour: string) => `Wohin mit deinem Plättchen in ${colour}?`,
    give: (who: string) => `Welches Startplättchen ist für ${who}?`,
    giving: (who: string) => `${who} verteilt die Startplättchen`,
    gift: (given: string, kept: string) => `${given}, du behältst ${kept}`,
    lastFlips: 'Das Spiel geht zu Ende. Du darfst noch umdrehen oder aufhören.',
    othersLastFlips: (who: string) => `Das Spiel geht zu Ende. ${who} darf noch umdrehen`,
    stop: 'Nicht mehr umdrehen',
    over: 'Das Spiel ist zu Ende',
    setup: 'Die Plättchen werden ausgelegt',
    choose: (space: string) => `Was möchtest du auf ${space} tun?`,
    cancel: 'Abbrechen',
  },
})
