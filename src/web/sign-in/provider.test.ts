/** A provider that answers as it should not: every answer that is not exactly right lets nobody in. */
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Provider, providerOf } from './provider.ts'

const client = { id: 'desk', secret: 'a secret of this test only' }
const back = 'https://desk.example.org/-/sign-in/single/back'
const now = () => Math.floor(Date.now() / 1000)
const [own, stranger] = [0, 1].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }))
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

let server: Server
let issuer = ''
/** What the provider says of itself, and the ID token that it gives next. */
let metadata: Record<string, unknown> = {}
let token = ''
const asked: string[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url!)
    const answers: Record<string, unknown> = {
      '/.well-known/openid-configuration': metadata,
      '/jwks': { keys: [{ ...own!.publicKey.export({ format: 'jwk' }), kid: 'own', alg: 'RS256', use: 'sig' }] },
      '/elsewhere': {
        keys: [{ ...stranger!.publicKey.export({ format: 'jwk' }), kid: 'own', alg: 'RS256', use: 'sig' }],
      },
      '/token': { access_token: 'opaque', token_type: 'Bearer', expires_in: 60, id_token: token },
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answers[request.url!.split('?')[0]!] ?? {}))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }
})
afterAll(() => new Promise(resolve => server.close(resolve)))

const providerHere = (): Provider =>
  providerOf(
    name => ({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret })[name],
    () => Date.now(),
  )!

const signed =
  (key: KeyObject, head: object = {}) =>
  (claims: object) => {
    const text = `${part({ alg: 'RS256', kid: 'own', ...head })}.${part(claims)}`
    return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
  }

/** The way there and back, where the provider gives what `made` makes of the claims. */
async function comeBack(change: object = {}, made: (claims: object) => string = signed(own!.privateKey)) {
  const provider = providerHere()
  const begun = await provider.begin(back)
  const claims = { iss: issuer, sub: 'dan', aud: client.id, iat: now(), exp: now() + 300, nonce: begun.nonce }
  token = made({ ...claims, email: 'dan@example.org', email_verified: true, ...change })
  return provider.finish(new URL(`${back}?code=c&state=${begun.state}`), begun)
}

test('of a token that is right in everything only who it is about is taken', async () => {
  const dan = { subject: 'dan', email: 'dan@example.org', verified: true, name: null, strong: false }
  expect(await comeBack()).toEqual(dan)
  expect(await comeBack({ amr: ['pwd', 'mfa'] })).toMatchObject({ strong: true })
})

test.each<readonly [string, object]>([
  ['for another application', { aud: 'another' }],
  ['for several, and made for another', { aud: [client.id, 'another'], azp: 'another' }],
  ['of another issuer', { iss: 'https://evil.example' }],
  ['that is over', { iat: now() - 4000, exp: now() - 3600 }],
  ['that is not valid yet', { nbf: now() + 3600 }],
  ['of another way there', { nonce: 'another' }],
  ['of no way there', { nonce: undefined }],
  ['of nobody', { sub: undefined }],
])('a token %s is not', async (_, change) => {
  await expect(comeBack(change)).rejects.toThrow()
})

const unsigned = (claims: object) => `${part({ alg: 'none' })}.${part(claims)}.`
const byClientSecret = (claims: object) => {
  const text = `${part({ alg: 'HS256', kid: 'own' })}.${part(claims)}`
  return `${text}.${createHmac('sha256', client.secret).update(text).digest('base64url')}`
}
const byPublicKey = (claims: object) => {
  const text = `${part({ alg: 'HS256', kid: 'own' })}.${part(claims)}`
  const pem = own!.publicKey.export({ format: 'pem', type: 'spki' })
  return `${text}.${createHmac('sha256', pem).update(text).digest('base64url')}`
}

test.each<readonly [string, (claims: object) => string]>([
  ['no signature', unsigned],
  ['the signature of a stranger', signed(stranger!.privateKey)],
  ['its signature by the secret of the client', byClientSecret],
  ['its signature by the public key, as if that were a secret', byPublicKey],
  [
    'something changed after it was signed',
    claims => signed(own!.privateKey)(claims).replace(/\.[^.]+\./, `.${part({ ...claims, sub: 'mia' })}.`),
  ],
])('a token with %s is not', async (_, made) => {
  await expect(comeBack({}, made)).rejects.toThrow()
})

test('keys that a token names itself are not asked for', async () => {
  asked.length = 0
  const jwk = stranger!.publicKey.export({ format: 'jwk' })
  const made = signed(stranger!.privateKey, { jku: `${issuer}/elsewhere`, x5u: `${issuer}/elsewhere`, jwk })
  await expect(comeBack({}, made)).rejects.toThrow()
  expect(asked).not.toContain('/elsewhere')
})

test('a provider that says it is another one is not used', async () => {
  const right = metadata
  metadata = { ...right, issuer: 'https://evil.example' }
  await expect(providerHere().begin(back)).rejects.toThrow()
  metadata = right
})
