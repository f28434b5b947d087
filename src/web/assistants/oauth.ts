/**
 * Assistants that sign in by OAuth 2.1: they register themselves, a person lets them in (`routes/let-in.tsx`), and they come to `/-/mcp` with
 * tokens of an hour, which they renew. What they are let in with is a key of that person: its role, its limits, its end, its name in the history.
 */
import { generateKeyPairSync } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import inject from 'light-my-request'
import { type Client, type Context, errors, interactionPolicy, Provider } from 'oidc-provider'
import { memoize } from '../../expression/memoize.ts'
import { sql } from '../../expression/sql.ts'
import { asSeen } from '../../kinds/fields/texts.ts'
import { isOpenTo } from '../../run/people/present.ts'
import { bindingsOf } from '../../run/statements.ts'
import { consentMinutes } from '../bounds.ts'
import { problemPage } from '../pages.tsx'
import { assistantPath, consentPath, oauthRoot, registerPath } from '../paths.ts'
import type { RequestContext, Web } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { oauthStore } from './oauth-store.ts'

/** There is one thing to have: what the person may, in the role that they choose. */
const scope = 'assistant'
const cookies = { session: 'nf-oauth-session', interaction: 'nf-oauth', resume: 'nf-oauth-resume' }
const paths = {
  authorization: `${oauthRoot}/authorize`,
  token: `${oauthRoot}/token`,
  registration: registerPath,
  revocation: `${oauthRoot}/revoke`,
  jwks: `${oauthRoot}/keys`,
}
const hour = 3600
const day = 24 * hour

export const resourceOf = ({ origin }: Web): string => origin + assistantPath

/** Who protects what `/-/mcp` gives (RFC 9728). */
export const protectedResource = ({ web, site }: RequestContext) => ({
  resource: resourceOf(web),
  resource_name: site.app.name,
  authorization_servers: [web.origin],
  scopes_supported: [scope],
  bearer_methods_supported: ['header'],
})

/** For what the library writes itself: the request of ours that it answers. */
const asked = new WeakMap<IncomingMessage, RequestContext>()
const providers = new WeakMap<Web, Provider>()

const providerOf = (web: Web): Provider => memoize(providers, web, () => makeProvider(web))

function makeProvider(web: Web): Provider {
  const { Prompt, Check } = interactionPolicy
  const agreed = new Check('consent', 'a person has to agree', 'consent_required', ({ oidc }) => !oidc.result?.consent)
  const off = { enabled: false }
  const cookie = { httpOnly: true, sameSite: 'lax', secure: web.jar.secure }
  const provider = new Provider(web.origin, {
    adapter: (kind: string) => oauthStore(web, kind),
    // The library wants one; it signs nothing, as tokens say nothing to whoever holds them.
    jwks: { keys: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })] },
    scopes: [scope],
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      id_token_signed_response_alg: 'ES256',
    },
    routes: paths,
    cookies: { names: cookies, short: cookie, long: cookie },
    pkce: { required: () => true },
    // Pages of other sites may ask for tokens: `cross-origin.ts` says where.
    clientBasedCORS: () => true,
    // What strangers say of their programs is no reason to ask other servers anything.
    fetch: () => Promise.reject(new errors.InvalidClientMetadata('nothing is fetched')),
    // Whoever they are is asked each time, and nobody without that.
    interactions: {
      policy: [
        new Prompt({ name: 'login', requestable: true }),
        new Prompt({ name: 'consent', requestable: true }, agreed),
      ],
      url: () => consentPath,
    },
    features: {
      devInteractions: off,
      userinfo: off,
      rpInitiatedLogout: off,
      dPoP: off,
      pushedAuthorizationRequests: off,
      registration: { enabled: true, issueRegistrationAccessToken: false },
      revocation: {
        enabled: true,
        allowedPolicy: (_: Context, client: Client, token: { readonly clientId: string }) =>
          token.clientId === client.clientId,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resourceOf(web),
        useGrantedResource: () => true,
        getResourceServerInfo(_: Context, resource: string) {
          if (resource !== resourceOf(web)) throw new errors.InvalidTarget()
          return { scope, audience: resource, accessTokenFormat: 'opaque' }
        },
      },
    },
    findAccount: async ({ req }: Context, key: string) =>
      (await isStillIn(asked.get(req)!, key)) ? { accountId: key, claims: () => ({ sub: key }) } : undefined,
    loadExistingGrant: ({ oidc }: { readonly oidc: Context['oidc'] & { readonly provider: GrantFinder } }) =>
      oidc.result?.consent && oidc.provider.Grant.find(oidc.result.consent.grantId),
    issueRefreshToken: (_: Context, client: Client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    ttl: {
      AccessToken: hour,
      AuthorizationCode: 60,
      Grant: 3650 * day,
      Interaction: consentMinutes * 60,
      RefreshToken: 90 * day,
      Session: consentMinutes * 60,
    },
    async renderError(context: Context, { error, error_description: why }: Record<string, string>) {
      const page = await problemPage(asked.get(context.req)!, { status: context.status, why: `${why ?? error}` })
      context.type = 'html'
      context.body = page.body
    },
  })
  provider.proxy = true
  provider.on('server_error', ({ req }, error) =>
    web.options.log({
      level: 'error',
      event: 'failure',
      request: asked.get(req)?.request.id ?? '',
      detail: { error },
    }),
  )
  return provider
}

interface GrantFinder {
  readonly Grant: { find(id: string): Promise<unknown> }
}

/** Whether the key of an assistant holds, and its person may come in. */
async function isStillIn({ runtime: { app, store }, request }: RequestContext, key: string): Promise<boolean> {
  const rows = await store.query(
    sql`select from ninefold.api_key as k where k.id = ${key}::uuid and k.ends_at > ${request.now}::timestamptz and ${isOpenTo(app, sql`k.person`)}`,
    bindingsOf(request),
  )
  return rows.length > 0
}

/** Everything below `/-/oauth` but the question to the person, and what is known of it all (RFC 8414). */
export async function answerOAuth(context: RequestContext): Promise<HttpResponse> {
  const { web, method, path, headers, address } = context
  const { query, body } = simplified(context)
  const answer = providerOf(web).callback()
  // What the proxy or anybody else says of it does not count.
  const forwarded = { 'x-forwarded-proto': new URL(web.origin).protocol.slice(0, -1), 'x-forwarded-host': web.host }
  const { 'content-length': _, 'transfer-encoding': __, ...asSent } = headers
  const {
    statusCode,
    headers: said,
    rawPayload,
  } = await inject(
    (request, response) => {
      asked.set(request, context)
      answer(request, response)
    },
    {
      method,
      url: path + (query.size === 0 ? '' : `?${query}`),
      headers: { ...asSent, ...forwarded },
      remoteAddress: address,
      ...(body.length === 0 ? {} : { payload: body }),
    },
  )
  const { 'set-cookie': set = [], 'content-length': ___, connection: ____, date: _____, ...rest } = said
  return {
    status: statusCode,
    headers: Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)])),
    cookies: [set].flat().filter(line => !line.startsWith(`${cookies.session}=`)),
    body: rawPayload,
  }
}

/** Programs name scopes of their own, and say of themselves that they are on the web where they are on this machine: both is put right. */
function simplified({ path, query, headers, body }: RequestContext): { query: URLSearchParams; body: Buffer } {
  const one = new URLSearchParams(query)
  if (path === paths.authorization) one.set('scope', scope)
  if (path === paths.token && headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
    const form = new URLSearchParams(body.toString())
    form.delete('scope')
    return { query: one, body: Buffer.from(form.toString()) }
  }
  if (path !== paths.registration) return { query: one, body }
  try {
    const { scope: _, ...program } = JSON.parse(body.toString()) as Record<string, unknown>
    const isOnWeb = [program.redirect_uris].flat().every(uri => `${uri}`.startsWith('https:'))
    const made = { token_endpoint_auth_method: 'none', ...program, application_type: isOnWeb ? 'web' : 'native' }
    return { query: one, body: Buffer.from(JSON.stringify(made)) }
  } catch {
    return { query: one, body }
  }
}

export interface AskedFor {
  /** As the program calls itself; nobody has seen to that. */
  readonly name: string
  /** Where the answer goes: an origin, or the scheme of a program on this machine. */
  readonly leadsTo: string
  /** Where it goes on, if it was answered already. */
  readonly answered: string | null
  /** Lets the program in with this key, or (null) does not; gives where it goes on. */
  readonly answer: (key: string | null) => Promise<string>
}

/** What this browser was sent to ask its person; null: nothing, or it is too long ago. */
export async function askedFor({ web, cookies: given }: RequestContext): Promise<AskedFor | null> {
  const provider = providerOf(web)
  // Of this browser alone: whoever sends somebody else a link gets nothing by it.
  const interaction = await provider.Interaction.find(given.get(cookies.interaction) ?? '')
  const clientId = interaction?.params.client_id
  const client = clientId === undefined ? undefined : await provider.Client.find(clientId)
  if (interaction === undefined || clientId === undefined || client === undefined) return null
  const back = new URL(interaction.params.redirect_uri)
  const next = new URL(interaction.returnTo).pathname
  return {
    name: asSeen(client.clientName ?? '') || back.host,
    leadsTo: /^https?:$/.test(back.protocol) ? back.origin : back.protocol,
    answered: interaction.result === undefined ? null : next,
    async answer(key) {
      interaction.result = key === null ? { error: 'access_denied' } : await consented(provider, web, clientId, key)
      await interaction.persist()
      return next
    },
  }
}

async function consented(provider: Provider, web: Web, clientId: string, key: string) {
  const grant = new provider.Grant({ accountId: key, clientId })
  grant.addResourceScope(resourceOf(web), scope)
  return { login: { accountId: key, remember: false }, consent: { grantId: await grant.save() } }
}
