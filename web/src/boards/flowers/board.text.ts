import type { Colour } from '../../look/colours'
import { colourNames } from '../../look/colours.text'
import { texts } from '../../text/language.svelte'

const of = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`

/** The words of Flowers' board. */
export const text = texts({
  en: {
    board: 'Flowers, the board',
    mandala: (number: number) => `Mandala ${number}`,
    gone: 'No longer in play',
    goneMandala: (number: number) => `Mandala ${number}: no longer in play`,
    tiles: (tiles: string) => `tiles ${tiles}`,
    missing: (colours: string) => (colours ? `missing ${colours}` : 'complete'),
    dissolving: 'is being dissolved',
    unheld: 'nobody has the majority marker',
    side: (name: string, count: number) => `${name}: ${of(count, 'card', 'cards')}`,
    up: (cards: string) => `face up ${cards}`,
    down: (cards: string) => `face down ${cards}`,
    holds: 'has the majority marker',
    claimTile: (tile: string) => `Take ${tile}`,
    times: '×3',
    seat: (name: string, points: number, hand: number) =>
      `${name}: ${of(points, 'point', 'points')}, ${of(hand, 'card', 'cards')} in hand`,
    flower: (tiles: string, points: number) => `flower ${tiles}, ${of(points, 'point', 'points')}`,
    single: (tile: string) => `single tile ${tile}`,
    flowers: 'Flowers',
    singles: 'Single tiles',
    known: 'In the hand, known to all',
    noTiles: 'No tiles yet.',
    points: (points: number) => of(points, 'point', 'points'),
    pile: 'Draw',
    drawPile: (count: number) => `Draw pile: ${of(count, 'card', 'cards')}`,
    discard: 'Discard',
    discardPile: (cards: string) => `Discard pile: ${cards}`,
    discardTitle: 'Discard pile',
    dark: 'Dark',
    darkTiles: (count: number) => `Dark tiles left: ${count}`,
    light: 'Light',
    lightTiles: (count: number) => `Light tiles left: ${count}`,
    lastRound: 'Third flower: the game ends after this round',

    choose: 'Choose a stack of cards',
    where: (cards: string) => `Where should ${cards} go?`,
    howMany: (cards: string) => `How many? ${cards}`,
    claim: (number: number) => `Take a tile from mandala ${number}`,
    othersClaim: (name: string, number: number) => `${name} takes a tile from mandala ${number}`,
    thinking: (name: string) => `${name} is thinking`,
    mustPass: 'You cannot play',
    pass: 'Pass',
    over: 'The game is over',
    offer: (cards: string, number: number) => `Lay ${cards} into mandala ${number}`,

    claims: (sizes: string) => `The majority marker chooses. Cards: ${sizes}`,
    got: (name: string, tile: string, count: number) => `${name} (${of(count, 'card', 'cards')}): ${tile}`,
    gotBoth: (name: string, count: number) => `${name} (${of(count, 'card', 'cards')}) gets both tiles`,
    blooms: (name: string, colour: string, points: number) => `${name}: a ${colour} flower, ${points} points`,
  },
  de: {
    board: 'Flowers, der Spielplan',
    mandala: (number: number) => `Mandala ${number}`,
    gone: 'Nicht mehr im Spiel',
    goneMandala: (number: number) => `Mandala ${number}: nicht mehr im Spiel`,
    tiles: (tiles: string) => `Plättchen ${tiles}`,
    missing: (colours: string) => (colours ? `es fehlen: ${colours}` : 'vollständig'),
    dissolving: 'wird aufgelöst',
    unheld: 'niemand hat den Mehrheitenmarker',
    side: (name: string, count: number) => `${name}: ${of(count, 'Karte', 'Karten')}`,
    up: (cards: string) => `offen ${cards}`,
    down: (cards: string) => `verdeckt ${cards}`,
    holds: 'hat den Mehrheitenmarker',
    claimTile: (tile: string) => `${tile} nehmen`,
    times: '×3',
    seat: (name: string, points: number, hand: number) =>
      `${name}: ${of(points, 'Punkt', 'Punkte')}, ${of(hand, 'Handkarte', 'Handkarten')}`,
    flower: (tiles: string, points: number) => `Blume ${tiles}, ${of(points, 'Punkt', 'Punkte')}`,
    single: (tile: string) => `einzelnes Plättchen ${tile}`,
    flowers: 'Blumen',
    singles: 'Einzelne Plättchen',
    known: 'Auf der Hand, allen bekannt',
    noTiles: 'Noch keine Plättchen.',
    points: (points: number) => of(points, 'Punkt', 'Punkte'),
    pile: 'Stapel',
    drawPile: (count: number) => `Zugstapel: ${of(count, 'Karte', 'Karten')}`,
    discard: 'Ablage',
    discardPile: (cards: string) => `Ablagestapel: ${cards}`,
    discardTitle: 'Ablagestapel',
    dark: 'dunkel',
    darkTiles: (count: number) => `Dunkle Plättchen übrig: ${count}`,
    light: 'hell',
    lightTiles: (count: number) => `Helle Plättchen übrig: ${count}`,
    lastRound: 'Dritte Blume: Nach dieser Runde ist Schluss',

    choose: 'Wähle einen Kartenstapel',
    where: (cards: string) => `Wohin mit ${cards}?`,
    howMany: (cards: string) => `Wie viele? ${cards}`,
    claim: (number: number) => `Nimm ein Plättchen aus Mandala ${number}`,
    othersClaim: (name: string, number: number) => `${name} nimmt ein Plättchen aus Mandala ${number}`,
    thinking: (name: string) => `${name} überlegt`,
    mustPass: 'Du kannst nichts legen',
    pass: 'Passen',
    over: 'Das Spiel ist zu Ende',
    offer: (cards: string, number: number) => `${cards} in Mandala ${number} legen`,

    claims: (sizes: string) => `Der Mehrheitenmarker wählt. Karten: ${sizes}`,
    got: (name: string, tile: string, count: number) => `${name} (${of(count, 'Karte', 'Karten')}): ${tile}`,
    gotBoth: (name: string, count: number) =>
      `Beide Plättchen für ${name} (${of(count, 'Karte', 'Karten')})`,
    blooms: (name: string, colour: string, points: number) =>
      `${name}: eine ${colour} Blume, ${points} Punkte`,
  },
})

/** A tile in words, `black 7`. */
export const tileName = (tile: string): string =>
  `${colourNames[tile[0] as Colour]} ${tile[1] === 'x' ? text.times : tile[1]}`
