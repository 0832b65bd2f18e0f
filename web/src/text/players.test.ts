import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { prefs } from '../prefs.svelte'
import { LEVELS, levelNames } from './players.text'

test.each(['en', 'de'] as const)('levels have the names that the server gives them: %s', (language) => {
  prefs.language = language
  const catalogue = readFileSync(`../src/mandala/text/${language}.toml`, 'utf-8')
  for (const level of LEVELS) expect(catalogue).toContain(`"search:${level}" = "${levelNames[level]}"`)
})

test('no sentence of the server is rewritten', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf-8' }).filter(
    (path) => /\.(ts|svelte)$/.test(path) && !path.endsWith('.test.ts'),
  )
  expect(sources.length).toBeGreaterThan(80)
  for (const path of sources) {
    const source = readFileSync(`src/${path}`, 'utf-8')
    expect(source, path).not.toMatch(/withNames|new RegExp|\.replace(All)?\(/)
  }
})
