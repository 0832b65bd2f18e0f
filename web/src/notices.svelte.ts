/** Messages for the whole page: read out by a screen reader, or shown for a few seconds. */
import { capitalize } from './text/capitalize'

interface Notice {
  id: number
  text: string
}

const MAX_SPOKEN = 6 // stay in the page so that a screen reader can finish them
const MIN_SHOWN_MS = 5000
const MS_PER_CHARACTER = 40

export const notices: { spoken: Notice[]; shown: Notice | null } = $state({
  spoken: [],
  shown: null,
})

let count = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Have a screen reader read out a text. */
export function announce(text: string): void {
  if (!text) return
  count += 1
  notices.spoken = [...notices.spoken, { id: count, text }].slice(-MAX_SPOKEN)
}

/** Show a text for a few seconds, and announce it. */
export function showNotice(words: string): void {
  const text = capitalize(words)
  announce(text)
  notices.shown = { id: count, text }
  clearTimeout(timer)
  timer = setTimeout(dismiss, MIN_SHOWN_MS + MS_PER_CHARACTER * text.length)
}

/** Hide the text that is shown. */
export function dismiss(): void {
  clearTimeout(timer)
  notices.shown = null
}
