/**
 * Assistants that run in a browser, in pages of other sites: there they may ask `/-/mcp`, and for tokens. No cookie counts at these addresses, so
 * that such a page can do no more than any program. All other addresses are closed to pages of other sites.
 */
import { assistantPath, oauthRoot, registerPath, resourcePath } from '../paths.ts'
import type { Web } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'

const paths: ReadonlySet<string> = new Set([
  assistantPath,
  resourcePath,
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  registerPath,
  `${oauthRoot}/token`,
  `${oauthRoot}/revoke`,
])

const shown = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, Retry-After, X-Request-Id',
} as const

/** What every answer at an address says to the page that asked; null: pages of other sites may not ask there. */
export function shownElsewhere(web: Web, url: string): HttpResponse['headers'] | null {
  const isClosed = web.site().app.assistants?.roles.length === 0
  return !isClosed && paths.has(url.split('?', 1)[0]!) ? shown : null
}

/** The answer to a browser that asks whether its page may ask. */
export const mayAsk: HttpResponse = {
  status: 204,
  headers: {
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers':
      'Authorization, Content-Type, Accept, Mcp-Protocol-Version, Mcp-Session-Id, Last-Event-ID',
    'access-control-max-age': '7200',
  },
  cookies: [],
  body: '',
}
