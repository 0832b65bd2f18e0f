/** Values kept in the browser's local storage; without storage they last as long as the page. */
const fallback = new Map<string, string>()

/** The value saved under a name, or a default. */
export function load<T>(name: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(name) ?? fallback.get(name)
    return text == null ? otherwise : (JSON.parse(text) as T)
  } catch {
    return otherwise
  }
}

/** Save a value under a name. */
export function save(name: string, value: unknown): void {
  const text = JSON.stringify(value)
  fallback.set(name, text)
  try {
    localStorage.setItem(name, text)
  } catch {
    // Private windows may have no storage: the fallback has the value.
  }
}

/** Delete everything that this page has saved. */
export function clearAll(): void {
  fallback.clear()
  try {
    for (const name of Object.keys(localStorage)) {
      if (name.startsWith('mandala-')) localStorage.removeItem(name)
    }
  } catch {
    // Without storage there is nothing to delete.
  }
}
