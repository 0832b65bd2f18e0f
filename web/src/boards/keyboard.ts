/** Whether a key pressed is meant for the board, and not for a text, a dialog or the browser. */
export function isForBoard(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false
  if (document.querySelector('dialog[open]')) return false
  const at = event.target
  return !(at instanceof HTMLElement && at.closest('input, textarea, select, [contenteditable]'))
}

/** Arrow keys go from button to button inside a group. */
export function arrows(group: HTMLElement): () => void {
  function follow(event: KeyboardEvent): void {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key]
    const buttons = [...group.querySelectorAll('button')]
    const here = buttons.indexOf(document.activeElement as HTMLButtonElement)
    if (step === undefined || here < 0) return
    event.preventDefault()
    buttons[(here + step + buttons.length) % buttons.length]?.focus()
  }
  group.addEventListener('keydown', follow)
  return () => group.removeEventListener('keydown', follow)
}
