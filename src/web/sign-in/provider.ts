/**
 * The place where people sign on for everything (OpenID Connect), as the environment names it: `OIDC_ISSUER`, `OIDC_CLIENT_ID`,
 * `OIDC_CLIENT_SECRET`, and `OIDC_NAME` for people. The protocol is that of `openid-client`: authorisation code, PKCE, state, nonce,
 * and the signature of every ID token is checked.
 */
import type * as OpenId from 'openid-client'
import { clockSeconds, openIdSeconds, providerMinutes } from '../bounds.ts'

export interface Provider {
  readonly issuer: string
  /** As people call it; null: nobody said. */
  readonly name: string | null
  /** Where a browser goes, and what must be kept until it comes back. Rejects where the provider does not answer. */
  readonly begin: (back: string) => Promise<{ to: string; state: string; nonce: string; verifier: string }>
  /** Who came back with this address. Rejects where anything about it is wrong. */
  readonly finish: (
    url: URL,
    expected: { readonly state: string; readonly nonce: string; readonly verifier: string },
  ) => Promise<Somebody>
  /** Where to sign out there too; null: it offers none. */
  readonly end: (back: string) => Promise<string | null>
}

export interface Somebody {
  readonly subject: string
  /** Null: it says none. */
  readonly email: string | null
  /** The provider vouches for the address. */
  readonly verified: boolean
  readonly name: string | null
  /** It says that more than one factor was asked for there (`mfa` of RFC 8176). */
  readonly strong: boolean
}

const names = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const

/** What is wrong with the environment, in words for whoever runs it; null: nothing. */
export function providerFault(variable: (name: string) => string | undefined): string | null {
  const missing = names.filter(name => (variable(name) ?? '') === '')
  if (missing.length > 0) return `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set`
  const issuer = URL.parse(variable('OIDC_ISSUER')!)
  return issuer === null || (issuer.protocol !== 'https:' && !isLocal(issuer))
    ? 'OIDC_ISSUER must be an address with https'
    : null
}

const isLocal = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)

/** Null where the environment names none, or not rightly. `now`: for how long what the provider says of itself is believed. */
export function providerOf(variable: (name: string) => string | undefined, now: () => number): Provider | null {
  if (providerFault(variable) !== null) return null
  const issuer = variable('OIDC_ISSUER')!
  let known: { readonly found: Promise<Found>; readonly until: number } | null = null
  const configured = (): Promise<Found> => {
    if (known === null || known.until <= now()) {
      const found = discover(issuer, variable('OIDC_CLIENT_ID')!, variable('OIDC_CLIENT_SECRET')!)
      known = { found, until: now() + providerMinutes * 60_000 }
      found.catch(() => {
        known = null
      })
    }
    return known.found
  }
  return {
    issuer,
    name: variable('OIDC_NAME') || null,
    async begin(back) {
      const { oidc, configuration } = await configured()
      const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()]
      const to = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: back,
        scope: 'openid email profile',
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      })
      return { to: to.href, state, nonce, verifier }
    },
    async finish(url, expected) {
      const { oidc, configuration } = await configured()
      const tokens = await oidc.authorizationCodeGrant(configuration, url, {
        expectedState: expected.state,
        expectedNonce: expected.nonce,
        pkceCodeVerifier: expected.verifier,
        idTokenExpected: true,
      })
      const token = tokens.claims()!
      // Many say the address only where it is asked for; the subject must be the same there.
      const more =
        token.email !== undefined || configuration.serverMetadata().userinfo_endpoint === undefined
          ? {}
          : await oidc.fetchUserInfo(configuration, tokens.access_token, token.sub)
      const claims: Readonly<Record<string, unknown>> = { ...more, ...token }
      return {
        subject: token.sub,
        email: textOf(claims.email),
        verified: claims.email_verified === true,
        name: textOf(claims.name) ?? textOf(claims.preferred_username),
        strong: Array.isArray(token.amr) && token.amr.includes('mfa'),
      }
    },
    async end(back) {
      const { oidc, configuration } = await configured()
      return configuration.serverMetadata().end_session_endpoint === undefined
        ? null
        : oidc.buildEndSessionUrl(configuration, { post_logout_redirect_uri: back }).href
    },
  }
}

const textOf = (claim: unknown): string | null =>
  typeof claim === 'string' && claim.trim() !== '' ? claim.trim() : null

interface Found {
  readonly oidc: typeof OpenId
  readonly configuration: OpenId.Configuration
}

/** The library is loaded where somebody signs on, and not by every start. */
async function discover(issuer: string, id: string, secret: string): Promise<Found> {
  const oidc = await import('openid-client')
  const url = new URL(issuer)
  const metadata = { client_secret: secret, [oidc.clockTolerance]: clockSeconds }
  const configuration = await oidc.discovery(url, id, metadata, undefined, {
    timeout: openIdSeconds,
    execute: [oidc.enableNonRepudiationChecks, ...(isLocal(url) ? [oidc.allowInsecureRequests] : [])],
  })
  return { oidc, configuration }
}
