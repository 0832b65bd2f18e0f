/** The player's preferences, saved in the browser. */
import { load, save } from './storage'

export type Language = 'en' | 'de'

interface Prefs {
  language: Language
  theme: 'auto' | 'light' | 'dark'
  palette: 'sand' | 'clear'
  letters: boolean // on cards and tiles, beside their symbols
  motion: 'auto' | 'off'
  speed: number // of animation, 1 as designed
  confirm: boolean // ask before a move is sent
  sound: boolean
  notify: boolean // by the browser, when it is the player's turn
}

const KEY = 'mandala-prefs'

function defaults(): Prefs {
  const language = navigator.language.startsWith('de') ? 'de' : 'en'
  return {
    language,
    theme: 'auto',
    palette: 'sand',
    letters: false,
    motion: 'auto',
    speed: 1,
    confirm: false,
    sound: false,
    notify: false,
  }
}

export const prefs: Prefs = $state({ ...defaults(), ...load<Partial<Prefs>>(KEY, {}) })

const prefersDark = matchMedia('(prefers-color-scheme: dark)')
const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)')

/** The duration of an animation in milliseconds at the preferred speed; 0 without motion. */
export function animationMs(milliseconds: number): number {
  if (prefs.motion === 'off' || prefersReducedMotion.matches) return 0
  return milliseconds / prefs.speed
}

/** Apply the preferences to the page, now and on every change. Called once, at the start. */
export function applyPrefs(): void {
  $effect.root(() => {
    $effect(() => {
      const root = document.documentElement
      const isDark = prefs.theme === 'dark' || (prefs.theme === 'auto' && prefersDark.matches)
      root.lang = prefs.language
      root.dataset.theme = isDark ? 'dark' : 'light'
      root.dataset.palette = prefs.palette
      root.dataset.motion = animationMs(1) === 0 ? 'off' : 'on'
      save(KEY, prefs)
    })
  })
}
