/** Positions from real games for the tests of the boards, made by `gallery/fixtures.py`. */
import { readFileSync } from 'node:fs'
import type { AnyBoard, BoardProps } from './contract'

interface Fixture {
  name: string
  game: AnyBoard['type']
  names: string[]
  actor: number | null
  lastSeat: number
  views: {
    viewer: number | null
    board: AnyBoard
    before: AnyBoard
    legal: string[]
    last: string[]
  }[]
}

export interface BoardFixture<B extends AnyBoard> {
  name: string
  before: B
  props: Omit<BoardProps<B>, 'onmove' | 'onwhy'>
}

const all = JSON.parse(readFileSync('gallery/fixtures.json', 'utf-8')) as Fixture[]

/** The fixtures of a game, one for each viewer. */
export function fixturesOf<B extends AnyBoard>(game: B['type']): BoardFixture<B>[] {
  const fixtures = all.filter((each) => each.game === game)
  return fixtures.flatMap((fixture) =>
    fixture.views.map((view) => ({
      name: `${fixture.name}, seen by ${view.viewer ?? 'a spectator'}`,
      before: view.before as B,
      props: {
        board: view.board as B,
        names: fixture.names,
        viewer: view.viewer,
        actor: fixture.actor,
        legal: view.legal,
        last: view.last,
        lastSeat: fixture.lastSeat,
      },
    })),
  )
}
