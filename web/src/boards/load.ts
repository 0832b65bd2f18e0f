import type { Component } from 'svelte'
import type { BoardProps } from './contract'

const modules = import.meta.glob<{ default: Component<BoardProps> }>('./*/Board.svelte')

const asked = new Map<string, Promise<Component<BoardProps>>>()

/** The board of a game, fetched when it is needed: always the same promise, so that it stays. */
export function loadBoard(game: string): Promise<Component<BoardProps>> {
  const coming = asked.get(game) ?? fetched(game)
  asked.set(game, coming)
  return coming
}

async function fetched(game: string): Promise<Component<BoardProps>> {
  const found = modules[`./${game}/Board.svelte`]
  if (!found) throw new Error(`no board for ${game}`)
  return (await found()).default
}
