import { prefs, type Language } from '../prefs.svelte'

type Text = string | ((...parts: never[]) => string)
type Catalogue = Record<string, Text>
type Same<T extends Catalogue> = { [K in keyof T]: T[K] extends string ? string : T[K] }

/**
 * The texts of one part of the page in all languages. Reading one gives it in the current language
 * (reactive). A missing text does not compile.
 */
export function texts<T extends Catalogue>(all: { en: T; de: Same<T> }): Same<T> {
  const catalogues = all as Record<Language, Same<T>>
  return new Proxy(all.en as Same<T>, {
    get: (_, key) => catalogues[prefs.language][key as keyof T],
  })
}
