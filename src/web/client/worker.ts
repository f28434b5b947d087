/** Of an application on a home screen: where a page cannot be reached, one that says so, which was kept before. Nothing else is kept. */

/** Of the browser's own types, which are not those of a page. */
interface WorkerEvent extends Event {
  readonly request: Request
  readonly preloadResponse: Promise<Response | undefined>
  readonly waitUntil: (work: Promise<unknown> | undefined) => void
  readonly respondWith: (answer: Promise<Response>) => void
}
declare const registration: ServiceWorkerRegistration

const page = '/-/offline'

const on = (name: string, does: (event: WorkerEvent) => void): void =>
  addEventListener(name, event => does(event as WorkerEvent))

on('install', event => {
  event.waitUntil(caches.open('ninefold').then(cache => cache.add(new Request(page, { cache: 'reload' }))))
})

// The page is asked for while this starts.
on('activate', event => event.waitUntil(registration.navigationPreload?.enable()))

on('fetch', event => {
  const { request } = event
  if (request.mode === 'navigate' && request.method === 'GET') event.respondWith(answer(event))
})

async function answer({ request, preloadResponse }: WorkerEvent): Promise<Response> {
  try {
    return (await preloadResponse) ?? (await fetch(request))
  } catch (failure) {
    const kept = await caches.match(page)
    if (kept === undefined) throw failure
    return kept
  }
}
