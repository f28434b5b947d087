/** For tests: a certified OpenID provider (`oidc-provider`) on this machine, that lets in whoever it is told to. */
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Claims = Readonly<Record<string, unknown>>

export interface TestProvider {
  readonly issuer: string
  /** What the environment of the application says. */
  readonly variable: (name: string) => string | undefined
  /** Knows the application from now on. */
  readonly register: (application: string) => Promise<void>
  /** Claims by subject; `sub` is added. */
  readonly people: Record<string, Claims>
  /** It shows other keys than those it signs with. */
  otherKeys: boolean
  /** A browser's way there and back: gives the address, path and query, to which it is sent back. */
  readonly visit: (address: string, subject: string) => Promise<string>
  readonly stop: () => Promise<void>
}

interface Library {
  readonly callback: () => (request: IncomingMessage, response: ServerResponse) => void
  readonly interactionFinished: (request: IncomingMessage, response: ServerResponse, result: unknown) => Promise<void>
}

// It brings no types of its own.
const library: string = 'oidc-provider'
const client = { client_id: 'desk', client_secret: 'a secret of the test only' }

const signingKey = () => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  use: 'sig',
  alg: 'RS256',
  kid: 'signing',
})

export async function startTestProvider(): Promise<TestProvider> {
  const people: Record<string, Claims> = {}
  let provider: Library | null = null
  let subject = ''
  const [key, stranger] = [signingKey(), signingKey()]
  const server = createServer((request, response) => {
    if (made.otherKeys && request.url === '/jwks') {
      const { kty, n, e, use, alg, kid } = stranger
      response.setHeader('content-type', 'application/jwk-set+json')
      response.end(JSON.stringify({ keys: [{ kty, n, e, use, alg, kid }] }))
    } else if (request.url?.startsWith('/interaction/')) {
      const result = people[subject] === undefined ? { error: 'access_denied' } : { login: { accountId: subject } }
      provider!.interactionFinished(request, response, result).catch(() => response.destroy())
    } else provider!.callback()(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const environment: Readonly<Record<string, string>> = {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: client.client_id,
    OIDC_CLIENT_SECRET: client.client_secret,
    OIDC_NAME: 'Acme',
  }
  const made: TestProvider = {
    issuer,
    people,
    otherKeys: false,
    variable: name => environment[name],
    async register(application) {
      const { default: Provider } = (await import(library)) as { default: new (...of: unknown[]) => Library }
      provider = new Provider(issuer, {
        clients: [
          {
            ...client,
            redirect_uris: [`${application}/-/sign-in/single/back`],
            post_logout_redirect_uris: [`${application}/-/sign-in`],
          },
        ],
        jwks: { keys: [key] },
        cookies: { keys: ['of the test only'] },
        features: { devInteractions: { enabled: false } },
        claims: { email: ['email', 'email_verified'], profile: ['name'] },
        ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
        findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ ...people[id], sub: id }) }),
        // Nobody is asked whether the application may know who they are.
        async loadExistingGrant({ oidc }: { oidc: GrantContext }) {
          const grant = new oidc.provider.Grant({
            clientId: oidc.client.clientId,
            accountId: oidc.session.accountId,
          })
          grant.addOIDCScope('openid email profile')
          await grant.save()
          return grant
        },
      })
    },
    async visit(address, who) {
      subject = who
      const cookies = new Map<string, string>()
      let at = address
      for (let hops = 0; hops < 8 && at.startsWith(issuer); hops++) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const response = await fetch(at, { redirect: 'manual', headers: { cookie } })
        for (const line of response.headers.getSetCookie()) {
          const [pair = ''] = line.split(';')
          cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
        }
        const to = response.headers.get('location')
        if (to === null) throw new Error(`The provider says ${response.status}: ${await response.text()}`)
        at = new URL(to, issuer).href
      }
      const { pathname, search } = new URL(at)
      return pathname + search
    },
    stop: () => new Promise(resolve => server.close(() => resolve())),
  }
  return made
}

interface GrantContext {
  readonly provider: {
    readonly Grant: new (
      of: unknown,
    ) => { readonly addOIDCScope: (scope: string) => void; readonly save: () => Promise<string> }
  }
  readonly client: { readonly clientId: string }
  readonly session: { readonly accountId: string }
}
