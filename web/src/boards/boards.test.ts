/** Mandala and Flowers: every legal move can be made by tapping and by keys, and everything has a name. */
import { cleanup, render } from '@testing-library/svelte'
import { flushSync, type Component } from 'svelte'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { FlowersBoard, MandalaBoard } from '../api/types'
import { COLOURS } from '../look/colours'
import { prefs } from '../prefs.svelte'
import { parseCardMove } from './choice.svelte'
import type { BoardProps } from './contract'
import FlowersView from './flowers/Board.svelte'
import MandalaView from './mandala/Board.svelte'
import { fixturesOf, type BoardFixture } from './fixtures'

type Any = MandalaBoard | FlowersBoard
interface Game {
  view: Component<BoardProps<Any>>
  positions: BoardFixture<Any>[]
  targets: Record<string, string> // by the key that means them
}

const GAMES: Record<string, Game> = {
  mandala: {
    view: MandalaView as Component<BoardProps<Any>>,
    positions: fixturesOf<MandalaBoard>('mandala'),
    targets: { 1: 'A1', 2: 'A2', 3: 'B1', 4: 'B2', 0: 'C' },
  },
  flowers: {
    view: FlowersView as Component<BoardProps<Any>>,
    positions: fixturesOf<FlowersBoard>('flowers'),
    targets: { 1: '1', 2: '2', 3: '3' },
  },
}

vi.setConfig({ testTimeout: 240_000 })
const onmove = vi.fn<(move: string) => void>()
const onwhy = vi.fn<(move: string) => void>()

beforeEach(() => {
  prefs.motion = 'off'
  prefs.language = 'en'
  onmove.mockReset()
  onwhy.mockReset()
})
afterEach(cleanup)

function lay(game: Game, { props }: BoardFixture<Any>) {
  return render(game.view, { ...props, onmove, onwhy })
}

const find = (selector: string): HTMLElement | null => document.querySelector(selector)

function tap(selector: string): void {
  const found = find(selector)
  if (!found) throw new Error(`there is no ${selector}`)
  flushSync(() => found.click())
}

function press(key: string): void {
  const at = document.activeElement ?? document.body
  flushSync(() => at.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })))
}

function tapMove(move: string): void {
  const cards = parseCardMove(move)
  if (move === '-') tap('[data-pass]')
  else if (!cards) tap(`[data-take='${move.slice(1)}'], [data-claim='${move.slice(1)}']`)
  else {
    tap(`[data-stack='${cards.colour}']`)
    tap(`[data-target='${cards.target}']`)
    if (!find('[data-confirm]')) return
    for (let tries = 0; tries < 20 && find('output')?.textContent !== String(cards.count); tries++) {
      const isMore = Number(find('output')?.textContent) < cards.count
      tap(`[data-step='${isMore ? 'more' : 'fewer'}']`)
    }
    tap('[data-confirm]')
  }
}

function keyMove(move: string, targets: Record<string, string>): void {
  const cards = parseCardMove(move)
  if (move === '-') press('p')
  else if (!cards) press(move[1]!)
  else {
    press(cards.colour)
    press(Object.keys(targets).find((key) => targets[key] === cards.target)!)
    if (!find('[data-confirm]')) return
    press(String(cards.count))
    tap('[data-confirm]') // it has the focus, so Enter does it
  }
}

const deciding = (game: Game): BoardFixture<Any>[] =>
  game.positions.filter(({ props }) => props.legal.length > 0)

describe.each(Object.entries(GAMES))('%s', (_, game) => {
  test.each(deciding(game))('every legal move can be tapped: $name', (position) => {
    lay(game, position)
    for (const move of position.props.legal) {
      tapMove(move)
      expect(onmove).toHaveBeenLastCalledWith(move)
    }
    expect(onmove).toHaveBeenCalledTimes(position.props.legal.length)
    expect(onwhy).not.toHaveBeenCalled()
  })

  test.each(deciding(game))('every legal move can be made by keys: $name', (position) => {
    lay(game, position)
    for (const move of position.props.legal) {
      keyMove(move, game.targets)
      expect(onmove).toHaveBeenLastCalledWith(move)
    }
    expect(onmove).toHaveBeenCalledTimes(position.props.legal.length)
    expect(onwhy).not.toHaveBeenCalled()
  })

  test.each(deciding(game))('only legal targets are highlighted, a tap on others asks why: $name', (position) => {
    lay(game, position)
    const moves = position.props.legal.map(parseCardMove)
    const hand = position.props.board.seats[position.props.viewer! - 1]!.hand
    for (const colour of COLOURS.filter((_, index) => (hand[index] ?? 0) > 0)) {
      for (const target of Object.values(game.targets)) {
        const place = find(`[data-target='${target}']`)
        if (!place) continue
        tap(`[data-stack='${colour}']`)
        const isLegal = moves.some((each) => each?.target === target && each.colour === colour)
        expect(place.classList.contains('lit')).toBe(isLegal)
        if (!isLegal) {
          tap(`[data-target='${target}']`)
          expect(onwhy).toHaveBeenLastCalledWith(target + colour)
        }
        press('Escape')
        expect(find('.chosen')).toBeNull()
      }
    }
    expect(onmove).not.toHaveBeenCalled()
  })

  test('every element has a name in both languages, and every colour its symbol', () => {
    for (const [index, position] of game.positions.entries()) {
      prefs.letters = index % 2 === 1
      lay(game, position)
      checkColours()
      for (const language of ['en', 'de'] as const) {
        flushSync(() => (prefs.language = language))
        checkNames()
      }
      if (position.props.viewer === null) {
        expect(find('[data-stack], [data-take], [data-claim], [data-pass]')).toBeNull()
      }
      cleanup()
    }
  })
})

function checkNames(): void {
  for (const each of document.querySelectorAll('button, [role], section, dialog')) {
    const name = (each.getAttribute('aria-label') ?? each.textContent ?? '').trim()
    if (!name || /undefined|null|NaN/.test(name)) throw new Error(`badly named: ${each.outerHTML}`)
  }
}

function checkColours(): void {
  for (const each of document.querySelectorAll('.card, .chip, .tile, .filled, .blossom')) {
    const colour = /var\(--([roygvk])\)/.exec(each.getAttribute('style') ?? '')?.[1]
    if (!colour) continue
    const isWhole = each.querySelector('svg path[d]') && each.textContent!.includes(colour) === prefs.letters
    if (!isWhole) throw new Error(`colour alone: ${each.outerHTML}`)
  }
}

test('a second tap on chosen cards drops them', () => {
  const game = GAMES.mandala!
  lay(game, deciding(game).find(({ props }) => props.board.phase === 'action')!)
  const stack = find('[data-stack]')!
  flushSync(() => stack.click())
  expect(stack.getAttribute('aria-pressed')).toBe('true')
  flushSync(() => stack.click())
  expect(stack.getAttribute('aria-pressed')).toBe('false')
})
