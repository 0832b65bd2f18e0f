/** Small things kept in the browser; where nothing may be kept, they last as long as the page. */
const instead = new Map<string, string>()

/** What was kept under a name, or what stands in for it. */
export function kept<T>(name: string, otherwise: T): T {
  try {
    const found = localStorage.getItem(name) ?? instead.get(name)
    return found == null ? otherwise : (JSON.parse(found) as T)
  } catch {
    return otherwise
  }
}

/** Keep something. */
export function keep(name: string, value: unknown): void {
  const text = JSON.stringify(value)
  instead.set(name, text)
  try {
    localStorage.setItem(name, text)
  } catch {
    // A private window: `instead` has it.
  }
}

/** Forget everything that this page has kept. */
export function forgetAll(): void {
  instead.clear()
  try {
    for (const name of Object.keys(localStorage)) {
      if (name.startsWith('mandala-')) localStorage.removeItem(name)
    }
  } catch {
    // Nothing could be kept, so there is nothing to forget.
  }
}
