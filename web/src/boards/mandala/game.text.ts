import { COLOURS, type Colour } from '../../look/colours'
import { colourNames } from '../../look/colours.text'
import { texts } from '../../text/language.svelte'
import { cardShortcuts, cardsInWords } from '../cards.text'
import type { Shortcut } from '../contract'

/** Texts of Mandala outside its board. */
export const words = texts({
  en: {
    name: 'Mandala',
    about: 'Lay coloured sand together, then share it out: what you collect last is worth most.',
    facts: '2\u00a0players\u00a0· 20\u00a0min\u00a0· secret hands',
    intro:
      'Six colours complete a mandala; then you share out its centre. Who has more cards in the field chooses first. Late colours score most.',
    scoring: 'Cards in the cup × place of their colour in the river',
    tieBreak: 'Level on points: the cup with fewer cards wins.',

    inCup: (count: number, colour: string, place: number) => `${count} × ${colour} at ${place}`,
    notInRiver: (count: number) => `${count} not in the river`,

    centre: (cards: string, mandala: string) => `${cards} into the centre of mandala ${mandala}`,
    field: (cards: string, mandala: string) => `${cards} into your field of mandala ${mandala}`,
    discard: (cards: string) => `Discard ${cards}`,
    take: (colour: string) => `Take ${colour}`,

    keyCentre: 'lay into the centre of mandala 1 or 2',
    keyField: 'lay into your field of mandala 1 or 2',
    keyDiscard: 'discard',
    keyTake: 'while dissolving: take this colour',
  },
  de: {
    name: 'Mandala',
    about: 'Legt gemeinsam farbigen Sand aus und teilt ihn dann: Was du zuletzt sammelst, zählt am meisten.',
    facts: '2\u00a0Personen\u00a0· 20\u00a0Min.\u00a0· geheime Handkarten',
    intro:
      'Sechs Farben vollenden ein Mandala, dann teilt ihr sein Zentrum auf. Wer mehr Karten im Feld hat, wählt zuerst. Späte Farben zählen am meisten.',
    scoring: 'Karten im Kelch × Stelle ihrer Farbe im Fluss',
    tieBreak: 'Gleich viele Punkte: Der Kelch mit weniger Karten gewinnt.',

    inCup: (count: number, colour: string, place: number) => `${count} × ${colour} auf ${place}`,
    notInRiver: (count: number) => `${count} nicht im Fluss`,

    centre: (cards: string, mandala: string) => `${cards} ins Zentrum von Mandala ${mandala}`,
    field: (cards: string, mandala: string) => `${cards} in dein Feld von Mandala ${mandala}`,
    discard: (cards: string) => `${cards} abwerfen`,
    take: (colour: string) => `${colour} nehmen`,

    keyCentre: 'ins Zentrum von Mandala 1 oder 2 legen',
    keyField: 'in dein Feld von Mandala 1 oder 2 legen',
    keyDiscard: 'abwerfen',
    keyTake: 'beim Auflösen: diese Farbe nehmen',
  },
})

export function moveText(move: string): string {
  const [kind, rest] = [move[0], move.slice(1)]
  if (kind === 'A') return words.centre(cardsInWords(rest.slice(1)), rest[0]!)
  if (kind === 'B') return words.field(cardsInWords(rest.slice(1)), rest[0]!)
  if (kind === 'C') return words.discard(cardsInWords(rest))
  return words.take(colourNames[rest as Colour])
}

export function shortcuts(): Shortcut[] {
  return cardShortcuts(
    [
      { keys: ['1', '2'], does: words.keyCentre },
      { keys: ['3', '4'], does: words.keyField },
      { keys: ['0'], does: words.keyDiscard },
    ],
    [{ keys: [...COLOURS], does: words.keyTake }],
  )
}
