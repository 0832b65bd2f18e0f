import { texts } from '../../text/language.svelte'
import { tileName } from '../../look/tiles'
import { cardShortcuts, cardsInWords } from '../cards.text'
import type { Shortcut } from '../contract'

/** Texts of Flowers outside its board. */
export const words = texts({
  en: {
    name: 'Flowers',
    about: 'Play cards, win the flower tiles, pair them up. For two to four.',
    facts: '2–4\u00a0players\u00a0· 25\u00a0min\u00a0· secret hands',
    intro:
      'Win tiles and pair their colours into flowers. When a mandala shows six colours, whoever leads there picks one of its two tiles.',
    scoring: 'A flower: twice the lower plus the higher tile, or three times the one beside ×3',
    tieBreak: 'Level on points: more cards in hand win.',

    flower: (colour: string, sum: string) => `${colour} flower ${sum}`,
    singles: (tiles: string) => `single tiles: ${tiles}`,

    play: (cards: string, mandala: string) => `${cards} into mandala ${mandala}`,
    claim: (tile: string) => `Claim the tile ${tile}`,
    pass: 'Pass',

    keyMandala: 'lay into this mandala',
    keyTile: 'while dissolving: take this tile',
    keyPass: 'pass, when you must',
  },
  de: {
    name: 'Flowers',
    about: 'Spiel Karten aus, gewinne Blumenplättchen, bilde Paare. Für zwei bis vier.',
    facts: '2–4\u00a0Personen\u00a0· 25\u00a0Min.\u00a0· geheime Handkarten',
    intro:
      'Gewinne Plättchen und mach aus zweien einer Farbe eine Blume. Zeigt ein Mandala sechs Farben, nimmt sich eins, wer dort führt.',
    scoring: 'Eine Blume: zweimal das kleinere und das größere Plättchen, oder dreimal das neben ×3',
    tieBreak: 'Gleich viele Punkte: Mehr Handkarten gewinnen.',

    flower: (colour: string, sum: string) => `Blume ${colour} ${sum}`,
    singles: (tiles: string) => `einzelne Plättchen: ${tiles}`,

    play: (cards: string, mandala: string) => `${cards} in Mandala ${mandala}`,
    claim: (tile: string) => `Plättchen ${tile} nehmen`,
    pass: 'Passen',

    keyMandala: 'in dieses Mandala legen',
    keyTile: 'beim Auflösen: dieses Plättchen nehmen',
    keyPass: 'passen, wenn du musst',
  },
})

export function moveText(move: string): string {
  const [kind, rest] = [move[0]!, move.slice(1)]
  if (kind === '-') return words.pass
  if (kind === 'T') return words.claim(tileName(rest))
  return words.play(cardsInWords(rest), kind)
}

export function shortcuts(): Shortcut[] {
  return cardShortcuts(
    [{ keys: ['1', '2', '3'], does: words.keyMandala }],
    [
      { keys: ['1', '2'], does: words.keyTile },
      { keys: ['p'], does: words.keyPass },
    ],
  )
}
