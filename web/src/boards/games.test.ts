import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { GAMES } from './games'
import { loadBoard } from './load'

test('every game folder is registered under its name, with its board', { timeout: 60_000 }, async () => {
  const files = readdirSync('src/boards', { recursive: true, encoding: 'utf8' })
  const folders = files.filter((file) => file.endsWith('/index.ts')).map((file) => file.split('/')[0])
  expect(GAMES.map((game) => game.id).toSorted()).toEqual(folders.toSorted())
  for (const { id } of GAMES) expect(await loadBoard(id)).toBeTypeOf('function')
})

describe('only the folder of a game knows its id', () => {
  const IDS = GAMES.map((game) => game.id).join('|')
  // A string, a key or property, a CSS class, or a part of an import's path.
  const USE = new RegExp(String.raw`(['"\`])(${IDS})\1|\b(${IDS})\??:|\.(${IDS})\b|/(${IDS})/`)
  const APP_NAME = "document.title = 'mandala'"
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|svelte|css)$/.test(file) && !file.endsWith('.test.ts'))
    .filter((file) => file !== 'api/types.ts' && !new RegExp(`^boards/(${IDS})/`).test(file))

  test.each(files)('%s', (file) => {
    const lines = readFileSync(`src/${file}`, 'utf8').split('\n')
    const uses = lines.filter((line) => USE.test(line.replace(APP_NAME, '')))
    expect(uses).toEqual([])
  })

  test.each([
    "game === 'mandala'",
    'const ABOUT = { patterns: 1 }',
    "[data-game='flowers'] {",
    '.board.patterns {',
    'words.flowers',
    "import { words } from './mandala/board.text'",
  ])('%s is found', (line) => expect(line).toMatch(USE))
})
