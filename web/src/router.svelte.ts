/** Where one is on the page. Links are plain `<a href>`; a click on one does not load anew. */
interface Place {
  path: string
  query: URLSearchParams
}

function here(): Place {
  return { path: location.pathname, query: new URLSearchParams(location.search) }
}

let place: Place = $state.raw(here())

/** The place of the moment; what reads it follows. */
export function currentPlace(): Place {
  return place
}

/** Go to another place of the page. */
export function go(to: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', to)
  else history.replaceState(null, '', to)
  const before = place.path
  place = here()
  if (place.path !== before) scrollTo(0, 0)
}

function isOurs(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
}

/** Follow links and the browser's own buttons. Called once, at the start. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    place = here()
  })
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || event.defaultPrevented || !isOurs(event)) return
    const isElsewhere = link.origin !== location.origin || link.target || link.hasAttribute('download')
    const isHere = link.hash && link.pathname === place.path
    if (isElsewhere || isHere || /^\/(api\/|docs$)/.test(link.pathname)) return
    event.preventDefault()
    go(link.pathname + link.search + link.hash)
  })
}
