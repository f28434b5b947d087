/** An assistant that has no key: it registers, a person lets it in, and it comes with tokens. By the protocol's own client. */
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { loanDesk, readSound } from '../../run/testing.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from '../testing.ts'

let web: TestWeb
beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'))
})
afterAll(() => web?.stop())

const back = 'http://localhost:9/callback'

interface Program {
  readonly kept: { information?: never; tokens?: never; verifier?: string; to?: URL }
  readonly connect: () => Promise<Client>
  readonly finish: (code: string) => Promise<void>
}

/** A program on this machine that knows nothing but the address. */
function program(metadata: object = {}, redirect = back): Program {
  const kept: Program['kept'] = {}
  const auth = {
    redirectUrl: redirect,
    clientMetadata: { client_name: 'Claude', redirect_uris: [redirect], scope: 'claudeai', ...metadata },
    state: () => 'a state',
    clientInformation: () => kept.information,
    saveClientInformation(information: never) {
      kept.information = information
    },
    tokens: () => kept.tokens,
    saveTokens(tokens: never) {
      kept.tokens = tokens
    },
    redirectToAuthorization(to: URL) {
      kept.to = to
    },
    saveCodeVerifier(verifier: string) {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier ?? '',
  } as OAuthClientProvider
  const transport = () => new StreamableHTTPClientTransport(new URL(`${web.url}/-/mcp`), { authProvider: auth })
  return {
    kept,
    async connect() {
      const client = new Client({ name: 'test', version: '1' })
      await client.connect(transport() as Parameters<Client['connect']>[0])
      return client
    },
    finish: code => transport().finishAuth(code),
  }
}

const local = (address: string | URL) => {
  const { pathname, search } = new URL(address, web.url)
  return pathname + search
}

/** Somebody follows the program to the question, and answers it; gives where they are led back to. */
async function answered(asking: Program, browser: TestBrowser, fields: Readonly<Record<string, string>>): Promise<URL> {
  await expect(asking.connect()).rejects.toThrow('Unauthorized')
  const question = await browser.get(local(asking.kept.to!))
  expect([question.status, local(question.location!)]).toEqual([303, '/-/oauth/consent'])
  const answer = await browser.submit('/-/oauth/consent', '/-/oauth/consent', { answer: 'yes', ...fields })
  expect(answer.status).toBe(303)
  const led = await browser.get(local(answer.location!))
  expect(led.status).toBe(303)
  return new URL(led.location!)
}

async function letIn(name = 'Cleo', fields: Readonly<Record<string, string>> = { role: 'Clerk' }) {
  const asking = program()
  const browser = await web.browser(name)
  const to = await answered(asking, browser, fields)
  expect([to.origin + to.pathname, to.searchParams.get('state'), to.searchParams.get('iss')]).toEqual([
    back,
    'a state',
    web.url,
  ])
  await asking.finish(to.searchParams.get('code')!)
  return { asking, browser, to }
}

const tokensOf = ({ kept }: Program) => kept.tokens as unknown as { access_token: string; refresh_token: string }
const idOf = ({ kept }: Program) => (kept.information as unknown as { client_id: string }).client_id
const secretOf = ({ kept }: Program) => {
  const { client_id, client_secret } = kept.information as unknown as Record<'client_id' | 'client_secret', string>
  return { client_id, client_secret }
}
const post = (path: string, form: Record<string, string>) =>
  fetch(web.url + path, { method: 'POST', body: new URLSearchParams(form) })
const ask = (token: string, path = '/-/mcp') =>
  fetch(web.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  })
const renew = (of: Program, refresh = tokensOf(of).refresh_token) =>
  post('/-/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token: refresh,
    client_id: idOf(of),
    scope: 'claudeai',
  })
const connected = () =>
  web.run.runtime.store.query<{ name: string }>(sql`select name from ninefold.api_key order by id`)

test('a person lets it in as themselves, in one role, and the history says whose assistant it was', async () => {
  const { asking, browser } = await letIn()
  const client = await asking.connect()
  expect(client.getInstructions()).toContain('You act as Cleo')
  const [item] = await web.run.runtime.store.query<{ id: string }>(sql`select id from public.item order by tag limit 1`)
  const { content } = (await client.callTool({
    name: 'create',
    arguments: {
      entity: 'loan',
      values: { out_on: '2026-03-02', due_back: '2026-03-05', lines: [{ item: item!.id }] },
    },
  })) as { content: readonly { text: string }[] }
  const { id, number } = JSON.parse(content[0]!.text) as { id: string; number: string }
  const history = sql`select actor, api_key from ninefold.history where record = ${id}::uuid limit 1`
  expect(await web.run.runtime.store.query(history)).toEqual([
    { actor: web.run.people.Cleo, api_key: 'Claude (assistant)' },
  ])
  expect((await browser.get(`/loans/${number}`)).text).toContain('created it, with the key “Claude (assistant)”')
  await client.close()
  // Its tokens open this one door, and are kept as their hashes.
  const { access_token, refresh_token } = tokensOf(asking)
  expect((await ask(access_token, '/api/v1/loan')).status).toBe(401)
  expect((await ask(refresh_token)).status).toBe(401)
  const all = JSON.stringify(await web.run.runtime.store.query(sql`select * from ninefold.oauth`))
  for (const secret of [access_token, refresh_token]) expect(all).not.toContain(secret)
})

test('tokens are renewed once each; one that comes again ends all of it', async () => {
  const { asking, to } = await letIn('Cleo', { name: 'Renewed', role: 'Clerk' })
  const first = tokensOf(asking)
  const renewed = await renew(asking)
  const second = (await renewed.json()) as typeof first
  expect([renewed.status, (await ask(second.access_token)).status]).toEqual([200, 200])
  const both = await Promise.all([renew(asking, second.refresh_token), renew(asking, second.refresh_token)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  expect((await renew(asking, first.refresh_token)).status).toBe(400)
  expect((await ask(second.access_token)).status).toBe(401)
  expect((await connected()).map(({ name }) => name)).not.toContain('Renewed')
  // Nor is a code worth anything a second time.
  await expect(asking.finish(to.searchParams.get('code')!)).rejects.toThrow()
})

test('it ends when its person revokes it, gets another password, loses the role or is kept out', async () => {
  const { store } = web.run.runtime
  const write = (of: ReturnType<typeof sql>) => store.inTransaction(tx => tx.write(of))
  const { asking, browser } = await letIn('Cleo', { name: 'Ending', role: 'Clerk' })
  const { access_token } = tokensOf(asking)
  const states = async () => [(await ask(access_token)).status, (await renew(asking)).status]
  const cleo = sql`person = ${web.run.people.Cleo!}::uuid`
  await write(sql`update ninefold.appointment set role = 'Manager' where ${cleo} and role = 'Clerk'`)
  expect((await ask(access_token)).status).toBe(403)
  await write(sql`update ninefold.appointment set role = 'Clerk' where ${cleo} and role = 'Manager'`)
  await write(sql`insert into ninefold.account (person, disabled_at, changed_at) values (${web.run.people.Cleo!}::uuid, ${web.run.now}, ${web.run.now})
    on conflict (person) do update set disabled_at = excluded.disabled_at`)
  expect(await states()).toEqual([401, 400])
  await write(sql`update ninefold.account set disabled_at = null where ${cleo}`)
  expect((await ask(access_token)).status).toBe(200)
  const keys = (await browser.get('/-/account/keys')).text
  expect(keys).toContain('assistant</span>')
  const [row] = await store.query<{ id: string }>(sql`select id from ninefold.api_key where name = 'Ending'`)
  expect((await browser.send('/-/account/keys', { revoke: row!.id })).status).toBe(303)
  expect(await states()).toEqual([401, 400])
  expect(await store.query(sql`select kind from ninefold.oauth where api_key = ${row!.id}::uuid`)).toEqual([])
  const other = await letIn('Cleo', { name: 'Left', role: 'Clerk' })
  const token = tokensOf(other.asking)
  expect((await post('/-/oauth/revoke', { token: token.refresh_token, client_id: idOf(other.asking) })).status).toBe(
    200,
  )
  expect((await ask(token.access_token)).status).toBe(401)
  expect((await connected()).map(({ name }) => name)).not.toContain('Left')
})

test('nobody is let in by somebody else’s browser, without PKCE, to other places or as what a person is not', async () => {
  const asking = program()
  await expect(asking.connect()).rejects.toThrow('Unauthorized')
  const [cleo, ben, visitor] = [await web.browser('Cleo'), await web.browser('Ben'), await web.browser(null)]
  expect((await ben.get('/-/oauth/consent')).status).toBe(404)
  await cleo.get(local(asking.kept.to!))
  // The question is of the browser that was sent to it.
  expect((await ben.get('/-/oauth/consent')).status).toBe(404)
  await visitor.get(local(asking.kept.to!))
  expect((await visitor.get('/-/oauth/consent')).location).toBe('/-/sign-in?next=%2F-%2Foauth%2Fconsent')
  const page = await cleo.get('/-/oauth/consent')
  expect(page.text).toContain('Let Claude in?')
  expect(page.text).toContain('It goes on at http://localhost:9.')
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self' http://localhost:9;")
  const send = (fields: object) => cleo.submit('/-/oauth/consent', '/-/oauth/consent', { answer: 'yes', ...fields })
  expect((await send({ role: 'Manager' })).status).toBe(422)
  expect((await send({ role: 'Clerk', days: '0' })).status).toBe(422)
  expect((await cleo.post('/-/oauth/consent', { answer: 'yes', name: 'x', role: 'Clerk', days: '1' })).status).toBe(403)
  const refused = await send({ answer: 'no' })
  expect((await cleo.get(local(refused.location!))).location).toContain('error=access_denied')
  const bare = new URL(asking.kept.to!)
  bare.searchParams.delete('code_challenge')
  expect((await cleo.get(local(bare))).location).toContain('error=invalid_request')
  const elsewhere = new URL(asking.kept.to!)
  elsewhere.searchParams.set('redirect_uri', 'https://evil.example/')
  expect((await cleo.get(local(elsewhere))).status).toBe(400)
  const other = new URL(asking.kept.to!)
  other.searchParams.set('resource', 'https://evil.example/-/mcp')
  expect((await cleo.get(local(other))).location).toContain('error=invalid_target')
})

const later = async (seconds: number, then: () => Promise<void>) => {
  const { now } = web.run
  web.run.now = new Date(now.getTime() + seconds * 1000)
  await then().finally(() => {
    web.run.now = now
  })
}

test('a code is good for a minute and once; who brings it again ends what came of it', async () => {
  const asking = program()
  const to = await answered(asking, await web.browser('Cleo'), { name: 'Late', role: 'Clerk' })
  const code = to.searchParams.get('code')!
  await later(61, () => expect(asking.finish(code)).rejects.toThrow())
  const { asking: other, to: used } = await letIn('Cleo', { name: 'Twice', role: 'Clerk' })
  const { access_token } = tokensOf(other)
  expect((await ask(access_token)).status).toBe(200)
  await expect(other.finish(used.searchParams.get('code')!)).rejects.toThrow()
  expect((await ask(access_token)).status).toBe(401)
})

test('it is asked each time, and what is renewed ends with what the person chose', async () => {
  const { asking, browser } = await letIn('Cleo', { name: 'Brief', role: 'Clerk', days: '2' })
  expect((await browser.get(local(asking.kept.to!))).location).toContain('/-/oauth/consent')
  await later(86_400, async () => {
    const renewed = await renew(asking)
    expect(renewed.status).toBe(200)
    const { access_token, refresh_token } = (await renewed.json()) as ReturnType<typeof tokensOf>
    await later(86_400, async () => {
      expect((await renew(asking, refresh_token)).status).toBe(400)
      expect((await ask(access_token)).status).toBe(401)
    })
  })
})

test('it leads where was registered, to the letter, with PKCE by SHA-256, and a program with a secret shows it', async () => {
  const asking = program({ token_endpoint_auth_method: 'client_secret_post' }, 'https://claude.ai/back')
  const cleo = await web.browser('Cleo')
  const to = await answered(asking, cleo, { name: 'Secret', role: 'Clerk' })
  const grant = { grant_type: 'authorization_code', code: to.searchParams.get('code')!, client_id: idOf(asking) }
  const back = { redirect_uri: 'https://claude.ai/back', code_verifier: asking.kept.verifier! }
  for (const secret of [{}, { client_secret: 'another' }])
    expect((await post('/-/oauth/token', { ...grant, ...back, ...secret })).status).toBe(401)
  await asking.finish(to.searchParams.get('code')!)
  expect((await ask(tokensOf(asking).access_token)).status).toBe(200)
  const changed = async (name: string, value: string) => {
    const other = new URL(asking.kept.to!)
    other.searchParams.set(name, value)
    return cleo.get(local(other))
  }
  for (const address of [
    'https://claude.ai/back/',
    'https://claude.ai/back?x',
    'https://claude.ai/',
    'https://CLAUDE.ai/back',
  ])
    expect([address, (await changed('redirect_uri', address)).status]).toEqual([address, 400])
  expect((await changed('code_challenge_method', 'plain')).location).toContain('error=invalid_request')
  for (const type of ['token', 'id_token', 'code id_token'])
    expect((await changed('response_type', type)).location).toContain('error=unsupported_response_type')
  for (const type of ['client_credentials', 'password', 'implicit'])
    expect((await (await post('/-/oauth/token', { grant_type: type, ...secretOf(asking) })).json()).error).toBe(
      'unsupported_grant_type',
    )
})

test('what anybody says it is called, and letters that are none, change nothing and are no failure', async () => {
  const found = await fetch(`${web.url}/.well-known/oauth-authorization-server`, {
    headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'ftp' },
  })
  const metadata = (await found.json()) as { token_endpoint: string; authorization_endpoint: string }
  expect(metadata.token_endpoint).toBe(`${web.url}/-/oauth/token`)
  expect(metadata.authorization_endpoint).toBe(`${web.url}/-/oauth/authorize`)
  for (const said of ['a\\u0000b', 'a\\ud800b']) {
    const response = await fetch(`${web.url}/-/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"client_name":"${said}","redirect_uris":["https://claude.ai/back"]}`,
    })
    expect([said, response.status]).toEqual([said, 400])
  }
  const asking = program()
  await expect(asking.connect()).rejects.toThrow('Unauthorized')
  const to = new URL(asking.kept.to!)
  to.searchParams.set('state', 'a\0b')
  const cleo = await web.browser('Cleo')
  expect((await cleo.get(local(to))).location).toContain('error=invalid_request')
})

test('pages of other sites ask here, and nowhere else', async () => {
  const asked = async (path: string, method: string) => {
    const headers = { origin: 'https://inspector.example', 'access-control-request-method': 'POST' }
    const { status, headers: said } = await fetch(web.url + path, { method, headers, redirect: 'manual' })
    return { status, origin: said.get('access-control-allow-origin'), shown: said.get('access-control-expose-headers') }
  }
  for (const path of ['/-/mcp', '/-/oauth/register', '/-/oauth/token', '/.well-known/oauth-authorization-server'])
    expect([path, await asked(path, 'OPTIONS')]).toMatchObject([path, { status: 204, origin: '*' }])
  expect(await asked('/-/mcp', 'POST')).toEqual({
    status: 401,
    origin: '*',
    shown: 'WWW-Authenticate, Retry-After, X-Request-Id',
  })
  // Whoever is signed in here is nobody there: cookies go along with nothing, and count for nothing.
  const cleo = await web.browser('Cleo')
  expect((await cleo.post('/-/mcp', {})).status).toBe(401)
  for (const path of ['/', '/-/account', '/api/v1/loan', '/-/oauth/authorize', '/-/oauth/consent', '/-/session'])
    for (const method of ['OPTIONS', 'GET'])
      expect([path, method, (await asked(path, method)).origin]).toEqual([path, method, null])
})

test('a document closes it, or leaves it to roles', async () => {
  const metadata = ['/.well-known/oauth-protected-resource/-/mcp', '/.well-known/oauth-authorization-server']
  const found = async () => Promise.all(metadata.map(async path => (await fetch(web.url + path)).status))
  expect(await found()).toEqual([200, 200])
  const app = (line: string) => readSound(loanDesk, text => text.replace('- **Serves:**', `${line}\n- **Serves:**`))
  const serve = (line: string) => web.web.reload({ ...web.served, runtime: { ...web.served.runtime, app: app(line) } })
  await serve('- **Assistants:** none')
  expect(await found()).toEqual([404, 404])
  const registering = await fetch(`${web.url}/-/oauth/register`, { method: 'POST' })
  expect([registering.status, registering.headers.get('access-control-allow-origin')]).toEqual([404, null])
  await serve('- **Assistants:** Manager')
  const asking = program()
  await expect(asking.connect()).rejects.toThrow('Unauthorized')
  const cleo = await web.browser('Cleo')
  await cleo.get(local(asking.kept.to!))
  expect((await cleo.get('/-/oauth/consent')).text).toContain('None of your roles may be used by assistants.')
  await web.web.reload(web.served)
})

test('a program is called what one sees of its name, and by its address where that is nothing', async () => {
  const browser = await web.browser('Cleo')
  for (const [name, shown] of [
    ['\u202eedualC\u202c\u200b', 'edualC'],
    ['\u200b \u2060', 'localhost:9'],
  ] as const) {
    const asking = program({ client_name: name })
    await expect(asking.connect()).rejects.toThrow('Unauthorized')
    await browser.get(local(asking.kept.to!))
    const { text } = await browser.get('/-/oauth/consent')
    expect(text).toMatch(new RegExp(`name="name"[^>]*value="${shown}"|value="${shown}"[^>]*name="name"`))
    expect(text).not.toMatch(/[\u202e\u200b\u2060]/)
  }
})

test('programs register themselves, and say where they lead back to', async () => {
  const register = async (of: object) => {
    const response = await fetch(`${web.url}/-/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(of),
    })
    return { status: response.status, ...((await response.json()) as { error?: string; client_id?: string }) }
  }
  const hosted = 'https://claude.ai/api/mcp/auth_callback'
  expect((await register({ client_name: 'Claude', redirect_uris: [hosted] })).status).toBe(201)
  expect((await register({ redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback'] })).status).toBe(201)
  for (const [wrong, error] of [
    ['http://evil.example/', 'invalid_redirect_uri'],
    ['javascript:alert(1)', 'invalid_redirect_uri'],
  ])
    expect([wrong, (await register({ redirect_uris: [wrong] })).error]).toEqual([wrong, error])
  expect((await register({})).status).toBe(400)
  const statuses = []
  for (let count = 0; count < 25; count++) statuses.push((await register({ redirect_uris: [hosted] })).status)
  expect(statuses.at(-1)).toBe(429)
})

test('whoever registers a program sends the application to no other server', async () => {
  const sent = vi.spyOn(globalThis, 'fetch')
  try {
    for (const more of ['sector_identifier_uri', 'jwks_uri', 'logo_uri', 'request_uris', 'client_uri']) {
      const uri = 'https://elsewhere.example/x'
      const said = { client_name: 'Claude', redirect_uris: [back], [more]: more.endsWith('s') ? [uri] : uri }
      const { status } = await fetch(`${web.url}/-/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(said),
      })
      expect(status).toBeLessThan(500)
    }
    expect(sent.mock.calls.filter(([to]) => !String(to).startsWith(web.url))).toEqual([])
  } finally {
    sent.mockRestore()
  }
})
