// What the page needs without a network: a friendly word. The page itself always comes from the
// server when there is one, so updates arrive; only files whose name holds their hash are kept.
const CACHE = 'mandala-1'
const WITHOUT_NETWORK = ['/offline.html', '/offline.css', '/icon.svg']
const MOST_FILES = 80

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(WITHOUT_NETWORK)))
  self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  const forget = (names) => names.filter((name) => name !== CACHE).map((name) => caches.delete(name))
  event.waitUntil(caches.keys().then((names) => Promise.all(forget(names))))
  self.clients.claim()
})

async function hashed(request) {
  const cache = await caches.open(CACHE)
  const found = await cache.match(request)
  if (found) return found
  const answer = await fetch(request)
  if (answer.ok) {
    await cache.put(request, answer.clone())
    const files = (await cache.keys()).filter((each) => new URL(each.url).pathname.startsWith('/assets/'))
    await Promise.all(files.slice(0, -MOST_FILES).map((each) => cache.delete(each)))
  }
  return answer
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') {
    event.respondWith(fetch(request).catch(() => caches.match('/offline.html')))
  } else if (pathname.startsWith('/assets/')) {
    event.respondWith(hashed(request))
  } else if (WITHOUT_NETWORK.includes(pathname)) {
    event.respondWith(fetch(request).catch(() => caches.match(request)))
  }
})
