/** The games of the page: every folder beside this file that has an `index.ts` and a `Board.svelte`. */
import type { GameModule } from './contract'

const modules = import.meta.glob<GameModule>('./*/index.ts', { eager: true, import: 'game' })

export const GAMES: readonly GameModule[] = Object.values(modules).toSorted(
  (one, other) => one.order - other.order,
)

/** The game with an id; undefined for a game that only the server knows. */
export function findGame(id: string): GameModule | undefined {
  return GAMES.find((game) => game.id === id)
}

/** The name of a game, or its id where it has none. */
export function gameName(id: string): string {
  return findGame(id)?.words.name ?? id
}
