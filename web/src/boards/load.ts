import type { Component } from 'svelte'
import type { BoardProps } from './contract'

const modules = import.meta.glob<{ default: Component<BoardProps> }>('./*/Board.svelte')

/** The board of a game, fetched when it is needed. */
export async function loadBoard(game: string): Promise<Component<BoardProps>> {
  const found = modules[`./${game}/Board.svelte`]
  if (!found) throw new Error(`no board for ${game}`)
  return (await found()).default
}
