/** Board components, apart from `games.ts` so that the home screen does not carry them. */
import type { Component } from 'svelte'
import type { BoardProps } from './contract'

const boards = import.meta.glob<Component<BoardProps>>('./*/Board.svelte', { import: 'default' })

const loaded = new Map<string, Promise<Component<BoardProps>>>()

/** The board component of a game, loaded on first use. Returns the same promise for every call. */
export function loadBoard(id: string): Promise<Component<BoardProps>> {
  const board = loaded.get(id) ?? importBoard(id)
  loaded.set(id, board)
  return board
}

async function importBoard(id: string): Promise<Component<BoardProps>> {
  const load = boards[`./${id}/Board.svelte`]
  if (!load) throw new Error(`no board for ${id}`)
  return load()
}
