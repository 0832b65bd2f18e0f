import { texts } from './language.svelte'

export const GAMES = ['mandala', 'patterns', 'flowers'] as const
export type Game = (typeof GAMES)[number]

/** The games: their names, and what each is about. */
export const gameWords = texts({
  en: {
    mandala: 'Mandala',
    patterns: 'Patterns',
    flowers: 'Flowers',
    mandalaAbout: 'Lay coloured sand together, then share it out: what you collect last is worth most.',
    patternsAbout: 'Turn a field of tiles into your own patches of colour. Nothing is hidden.',
    flowersAbout: 'Play cards, win the flower tiles, pair them up. For two to four.',
    mandalaFacts: '2\u00a0players\u00a0· 20\u00a0min\u00a0· secret hands',
    patternsFacts: '2\u00a0players\u00a0· 15\u00a0min\u00a0· everything open',
    flowersFacts: '2–4\u00a0players\u00a0· 25\u00a0min\u00a0· secret hands',
  },
  de: {
    mandala: 'Mandala',
    patterns: 'Patterns',
    flowers: 'Flowers',
    mandalaAbout:
      'Legt gemeinsam farbigen Sand aus und teilt ihn dann: Was du zuletzt sammelst, zählt am meisten.',
    patternsAbout: 'Mach aus einem bunten Feld deine eigenen Farbflächen. Nichts ist verborgen.',
    flowersAbout: 'Spiel Karten aus, gewinne Blumenplättchen, bilde Paare. Für zwei bis vier.',
    mandalaFacts: '2\u00a0Personen\u00a0· 20\u00a0Min.\u00a0· geheime Handkarten',
    patternsFacts: '2\u00a0Personen\u00a0· 15\u00a0Min.\u00a0· alles offen',
    flowersFacts: '2–4\u00a0Personen\u00a0· 25\u00a0Min.\u00a0· geheime Handkarten',
  },
})

/** The name of a game. */
export function gameName(game: string): string {
  return gameWords[game as Game] ?? game
}
