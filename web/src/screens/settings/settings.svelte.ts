/** Which part of the settings is open, from anywhere on the page. */
export type Section = 'look' | 'you' | 'keys'

export const settings: { open: Section | null } = $state({ open: null })

/** Open the settings. */
export function openSettings(section: Section = 'look'): void {
  settings.open = section
}
