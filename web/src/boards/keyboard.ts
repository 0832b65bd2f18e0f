/** Whether a key event is for the board, and not for an input, a dialog or the browser. */
export function isForBoard(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false
  if (document.querySelector('dialog[open]')) return false
  const at = event.target
  return !(at instanceof HTMLElement && at.closest('input, textarea, select, [contenteditable]'))
}

/** Attachment: arrow keys move the focus between the buttons of a group. */
export function arrowKeys(group: HTMLElement): () => void {
  function moveFocus(event: KeyboardEvent): void {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key]
    const buttons = [...group.querySelectorAll('button')]
    const here = buttons.indexOf(document.activeElement as HTMLButtonElement)
    if (step === undefined || here < 0) return
    event.preventDefault()
    buttons[(here + step + buttons.length) % buttons.length]?.focus()
  }
  group.addEventListener('keydown', moveFocus)
  return () => group.removeEventListener('keydown', moveFocus)
}
