/** Before anybody is asked who they are: what came over the wire is a request, and to a name that the application has. */
import { sql } from '../../expression/sql.ts'
import { spokenSite } from '../language.ts'
import { bareProblemPage } from '../pages.tsx'
import type { Web } from '../request-context.ts'
import { type HttpResponse, plain } from '../response.ts'
import type { IncomingRequest } from './authenticate.ts'

/** Null: its address is one. `route` is the pattern that it was matched by. */
export function admit(web: Web, { id, url, headers }: IncomingRequest, route: string): HttpResponse | null {
  const { pathname = '//' } = URL.parse(url, web.origin) ?? {}
  // The router decodes what it matches: what is ours is written one way only, so that whoever looks at the address sees the same.
  const [own = '/'] = /^\/(?:-|api)\//.exec(route) ?? []
  // Led back to, `/.//elsewhere` would be another host.
  const isAddress = url.startsWith(own) && !url.startsWith('//') && !pathname.startsWith('//')
  if (isAddress && headers.host !== undefined) return null
  return bareProblemPage(web, spokenSite(web, headers), 400, id)
}

const unknownHost =
  'This application is not known under this name. Whoever runs it names the address that people use in PUBLIC_URL.\n'
const knownLocal = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** Null: it is. A name that only resolves here must not open the application to pages of that name (DNS rebinding). */
export function knownHost({ host: own, options }: Web, { headers: { host } }: IncomingRequest): HttpResponse | null {
  if (host?.toLowerCase() === own) return null
  return host !== undefined && options.publicUrl === null && knownLocal.test(host) ? null : plain(unknownHost, 421)
}

/** Whether the database answers. Asked often by whoever balances load: the database is asked at most once a second. */
export async function isReady(web: Web): Promise<boolean> {
  const at = performance.now()
  if (at - web.ready.at > 1000) {
    const ok = await web
      .site()
      .runtime.store.query(sql`select 1`)
      .then(
        () => true,
        () => false,
      )
    web.ready = { at, ok }
  }
  return web.ready.ok
}

/** `/readyz`. */
export async function readiness(web: Web): Promise<HttpResponse> {
  if (web.leaving) return plain('shutting down\n', 503)
  return (await isReady(web)) ? plain('ok\n') : plain('the database does not answer\n', 503)
}
