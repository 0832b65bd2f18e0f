/** What somebody prefers, kept in their browser. */
export type Language = 'en' | 'de'

interface Prefs {
  language: Language
  theme: 'auto' | 'light' | 'dark'
  palette: 'sand' | 'clear'
  motion: 'auto' | 'off'
  speed: number // of animation, 1 as designed
  confirm: boolean // ask before a move is sent
  sound: boolean
  notify: boolean // by the browser, when it is one's turn
}

const KEY = 'mandala-prefs'

function defaults(): Prefs {
  const language = navigator.language.startsWith('de') ? 'de' : 'en'
  return {
    language,
    theme: 'auto',
    palette: 'sand',
    motion: 'auto',
    speed: 1,
    confirm: false,
    sound: false,
    notify: false,
  }
}

function kept(): Partial<Prefs> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Prefs>
  } catch {
    return {} // no storage, or somebody else's: the defaults do
  }
}

export const prefs: Prefs = $state({ ...defaults(), ...kept() })

const prefersDark = matchMedia('(prefers-color-scheme: dark)')
const prefersStill = matchMedia('(prefers-reduced-motion: reduce)')

/** Milliseconds that a movement of so many takes, as people prefer it; 0 for none. */
export function lasting(milliseconds: number): number {
  if (prefs.motion === 'off' || prefersStill.matches) return 0
  return milliseconds / prefs.speed
}

/** Dress the page as preferred, now and whenever that changes. Called once, at the start. */
export function followPrefs(): void {
  $effect.root(() => {
    $effect(() => {
      const root = document.documentElement
      const isDark = prefs.theme === 'dark' || (prefs.theme === 'auto' && prefersDark.matches)
      root.lang = prefs.language
      root.dataset.theme = isDark ? 'dark' : 'light'
      root.dataset.palette = prefs.palette
      root.dataset.motion = lasting(1) === 0 ? 'off' : 'on'
      try {
        localStorage.setItem(KEY, JSON.stringify(prefs))
      } catch {
        // Private windows may not keep anything: the choice holds for this visit.
      }
    })
  })
}
