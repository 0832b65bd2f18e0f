/** Client-side navigation: links are plain `<a href>`, and clicks on them do not reload the page. */
interface Address {
  path: string
  query: URLSearchParams
}

function readAddress(): Address {
  return { path: location.pathname, query: new URLSearchParams(location.search) }
}

let address: Address = $state.raw(readAddress())

/** The current address (reactive). */
export function currentAddress(): Address {
  return address
}

/** Navigate to a path of this page. */
export function navigate(to: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', to)
  else history.replaceState(null, '', to)
  const before = address.path
  address = readAddress()
  if (address.path !== before) scrollTo(0, 0)
}

function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
}

/** Handle clicks on links and the browser's back button. Called once, at the start. */
export function handleLinks(): void {
  addEventListener('popstate', () => {
    address = readAddress()
  })
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || event.defaultPrevented || !isPlainClick(event)) return
    const isExternal = link.origin !== location.origin || link.target || link.hasAttribute('download')
    const isSamePage = link.hash && link.pathname === address.path
    if (isExternal || isSamePage || /^\/(api\/|docs$)/.test(link.pathname)) return
    event.preventDefault()
    navigate(link.pathname + link.search + link.hash)
  })
}
