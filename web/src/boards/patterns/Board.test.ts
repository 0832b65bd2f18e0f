import { cleanup, fireEvent, render } from '@testing-library/svelte'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { prefs } from '../../prefs.svelte'
import Board from './Board.svelte'
import { games, NAMES, type Fixture } from './fixtures'
import { spacesIn } from './geometry'
import { KINDS } from './moves'

afterEach(cleanup)

function show(fixture: Fixture, viewer: number | null = fixture.actor) {
  prefs.language = 'en'
  prefs.motion = 'off'
  const onmove = vi.fn<(move: string) => void>()
  const onwhy = vi.fn<(move: string) => void>()
  const legal = viewer === fixture.actor ? fixture.legal : []
  const props = { ...fixture, legal, names: NAMES, viewer, onmove, onwhy }
  const { container } = render(Board, { props })
  const find = (selector: string) => container.querySelector<HTMLElement>(selector)
  const space = (name: string) => find(`[data-space="${name}"]`)!
  return { container, find, space, onmove, onwhy }
}

type Shown = ReturnType<typeof show>

/** Make a move by tapping. */
async function tapFor(move: string, { container, find, space }: Shown) {
  const name = move.slice(1)
  if (move === 'E') return fireEvent.click(find('.stop')!)
  if (move.startsWith('G')) {
    const offered = [...container.querySelectorAll<HTMLElement>('.gifts button')]
    const colour = { r: 'Red', o: 'Orange', y: 'Yellow', g: 'Green', v: 'Violet', k: 'Black' }[name]!
    return fireEvent.click(offered.find((button) => button.textContent!.includes(`${colour},`))!)
  }
  await fireEvent.click(space(name))
  const kind = { F: 'Flip', X: 'Swap', O: 'Open' }[move[0]!]!
  const choices = [...container.querySelectorAll<HTMLElement>('.chooser button')]
  const choice = choices.find((button) => button.textContent!.includes(kind))
  if (choice !== undefined) await fireEvent.click(choice)
}

describe.each(games.map((game, index) => [index, game] as const))('game %i', (_, game) => {
  test('every legal move can be tapped, and made by keys', { timeout: 60_000 }, async () => {
    for (const fixture of game.filter(isLookedAt)) {
      const shown = show(fixture)
      for (const move of fixture.legal) {
        shown.onmove.mockClear()
        await tapFor(move, shown)
        expect(shown.onmove.mock.calls, move).toEqual([[move]])
        if (move.startsWith('G')) continue // real buttons: Enter and Space press them
        shown.onmove.mockClear()
        const name = move === 'E' ? 'd5' : move.slice(1)
        shown.space(name).focus()
        await fireEvent.keyDown(shown.space(name), { key: move[0]!.toLowerCase() })
        expect(shown.onmove.mock.calls, move).toEqual([[move]])
      }
      expect(shown.onwhy).not.toHaveBeenCalled()
      cleanup()
    }
  })

  test('a tap on a space without legal moves asks why', { timeout: 60_000 }, async () => {
    for (const fixture of game.filter(isLookedAt)) {
      const { board, actor, legal } = fixture
      if (actor === null) continue
      const { space, onmove, onwhy } = show(fixture)
      const free = board.spaces.filter(({ name }) => !KINDS.some((kind) => legal.includes(kind + name)))
      for (const { name } of free) await fireEvent.click(space(name))
      expect(onmove).not.toHaveBeenCalled()
      expect(onwhy.mock.calls.map(([move]) => move.slice(1))).toEqual(free.map(({ name }) => name))
      for (const [move] of onwhy.mock.calls) expect(move).toMatch(/^[OFX][a-h][1-8]$/)
      cleanup()
    }
  })

  test('every element has a name', { timeout: 60_000 }, () => {
    for (const fixture of game.filter(isLookedAt)) {
      const { container } = show(fixture, 1)
      const names = [...container.querySelectorAll('[data-space]')].map((space) => space.getAttribute('aria-label'))
      expect(new Set(names).size).toBe(52)
      for (const [index, { name }] of fixture.board.spaces.entries()) {
        expect(names[index]).toMatch(new RegExp(`^${name}, (red|orange|yellow|green|violet|black), `))
      }
      for (const button of container.querySelectorAll('button')) {
        expect(button.getAttribute('aria-label') ?? button.textContent!.trim()).not.toBe('')
      }
      cleanup()
    }
  })
})

function isLookedAt(fixture: Fixture): boolean {
  const at = games.flat().indexOf(fixture)
  return at % 5 === 0 || fixture.board.phase !== 'action'
}

const middle = games[0]!.find(({ board, actor }) => actor === 1 && board.seats[1]!.groups.length === 4)!

test('names say whose group it is', () => {
  const { container } = show(middle)
  const names = [...container.querySelectorAll('[data-space]')].map((space) => space.getAttribute('aria-label')!)
  expect(names.filter((name) => name.includes('your group'))).toHaveLength(
    middle.board.spaces.filter(({ seat }) => seat === 1).length,
  )
  expect(names.filter((name) => /Ben’s group 3, marker 3/.test(name))).toHaveLength(1)
})

test('rivers are lists that say what each group scores', () => {
  const { container } = show(middle)
  const rivers = [...container.querySelectorAll('ol')]
  expect(rivers.map((river) => river.getAttribute('aria-label'))).toEqual(['River: Ben', 'River: You'])
  const first = middle.board.seats[0]!.groups[0]!
  expect(rivers[1]!.children[0]!.textContent).toContain(`1 × ${first.size - 1} = ${first.points}`)
  for (const river of rivers) expect(river.children).toHaveLength(6)
})

test('arrow keys go over the board and stop at its edge', async () => {
  const { space } = show(middle)
  space('d5').focus()
  for (const [key, reached] of [
    ['ArrowUp', 'd6'],
    ['ArrowLeft', 'c6'],
    ['ArrowUp', 'c7'],
    ['ArrowUp', 'c8'],
    ['ArrowUp', 'c8'],
    ['ArrowLeft', 'c8'],
    ['End', 'f8'],
    ['ArrowDown', 'f7'],
    ['Home', 'b7'],
  ] as const) {
    await fireEvent.keyDown(document.activeElement!, { key })
    expect((document.activeElement as HTMLElement).dataset.space, key).toBe(reached)
    expect(space(reached).tabIndex).toBe(0)
  }
})

test('of several moves on a space one can be chosen, or none', async () => {
  const both = games.flat().find(({ legal }) => legal.some((m) => m[0] === 'F' && legal.includes(`O${m.slice(1)}`)))!
  const name = both.legal.find((m) => m[0] === 'F' && both.legal.includes(`O${m.slice(1)}`))!.slice(1)
  const { space, find, onmove } = show(both)
  await fireEvent.click(space(name))
  expect(onmove).not.toHaveBeenCalled()
  expect(document.activeElement!.closest('.chooser')).not.toBeNull()
  await fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
  expect(find('.chooser')).toBeNull()
  expect(document.activeElement).toBe(space(name))
})

test('with the exchange tile picked up, a tap lays it', async () => {
  const both = games.flat().find(({ legal }) => legal.some((m) => m[0] === 'F' && legal.includes(`O${m.slice(1)}`)))!
  const name = both.legal.find((m) => m[0] === 'F' && both.legal.includes(`O${m.slice(1)}`))!.slice(1)
  const { space, find, onmove } = show(both)
  await fireEvent.click(find('button.holder')!)
  await fireEvent.click(space(name))
  expect(onmove.mock.calls).toEqual([[`O${name}`]])
})

test('a player who is not to move can only look', async () => {
  const { space, container, onmove, onwhy } = show(middle, 2)
  for (const { name } of middle.board.spaces) await fireEvent.click(space(name))
  await fireEvent.keyDown(space('d5'), { key: 'f' })
  expect(onmove).not.toHaveBeenCalled()
  expect(onwhy).not.toHaveBeenCalled()
  expect(container.querySelector('.can')).toBeNull()
})

test.each([1, 2])('the groups of viewer %i are drawn as their own, whichever seat they have', (viewer) => {
  const { container } = show(middle, viewer)
  const groups = [...container.querySelectorAll<HTMLElement>('.group')]
  expect(groups.length).toBeGreaterThan(4)
  for (const group of groups) {
    const isMine = group.dataset.group!.startsWith(String(viewer))
    expect(group.querySelectorAll('.broad').length, group.dataset.group).toBe(isMine ? 1 : 0)
    expect(group.querySelectorAll('.thin').length, group.dataset.group).toBe(isMine ? 0 : 1)
  }
})

test('where nearly every space is legal, none is lit until the tile is picked up', async () => {
  const early = games[0]!.find(({ legal }) => legal.filter((move) => move.startsWith('O')).length > 40)!
  const { container, find } = show(early)
  const lit = () => container.querySelectorAll('.can').length
  expect(lit()).toBeLessThan(8)
  expect(container.querySelectorAll('.veil')).toHaveLength(0)
  await fireEvent.click(find('[data-bowl][aria-pressed]')!)
  expect(lit()).toBe(0)
  const legal = early.legal.filter((move) => /^[OX]/.test(move))
  expect(container.querySelectorAll('.veil')).toHaveLength(52 - new Set(legal.map((move) => move.slice(1))).size)
})

test('the spaces that a sentence names are marked', () => {
  const marked = spacesIn('Flip c5: green grows to 3 tiles, next to d5.')
  expect(marked).toEqual(['c5', 'd5'])
  const { container } = render(Board, {
    props: { ...middle, names: NAMES, viewer: 1, marked, onmove: vi.fn(), onwhy: vi.fn() },
  })
  const drawn = [...container.querySelectorAll<HTMLElement>('[data-marked]')]
  expect(drawn.map((each) => each.dataset.marked).sort()).toEqual(marked)
})
