/** An assistant in a page of another site, in Chromium: it registers there, its person is asked here, and it asks from there. */
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loanDesk, readSound } from '../../run/testing.ts'
import {
  button,
  complaints,
  desktop,
  findings,
  open,
  phone,
  picture,
  startBrowsing,
  stopBrowsing,
} from '../browsing.ts'

let elsewhere: Server
let there: string
let mcp: string

beforeAll(async () => {
  const { serving } = await startBrowsing(readSound(loanDesk))
  mcp = `${serving.url}/-/mcp`
  elsewhere = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<title>Inspector</title>'),
  )
  await new Promise<void>(resolve => elsewhere.listen(0, '127.0.0.1', resolve))
  there = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`
})
afterAll(async () => {
  await stopBrowsing()
  elsewhere.close()
})

/** In the page: finds where to ask for tokens, and registers; gives where its person is sent. */
async function register({ mcp, there, challenge }: { mcp: string; there: string; challenge: string }) {
  const unknown = await fetch(mcp, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
  const [, metadata] = /resource_metadata="([^"]+)"/.exec(unknown.headers.get('www-authenticate')!)!
  const { authorization_servers: servers } = await (await fetch(metadata!)).json()
  const known = await (await fetch(`${servers[0]}/.well-known/oauth-authorization-server`)).json()
  const registered = await fetch(known.registration_endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Inspector', redirect_uris: [there] }),
  })
  const { client_id: client } = await registered.json()
  const asked = { response_type: 'code', client_id: client, redirect_uri: there, resource: mcp, state: 'mine' }
  const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
  const to = `${known.authorization_endpoint}?${new URLSearchParams({ ...asked, ...pkce })}`
  return { to, client: client as string, token: known.token_endpoint as string }
}

/** In the page again: takes a token for the code, and asks what there is. */
async function ask({ mcp, there, token, client, verifier }: Readonly<Record<string, string>>) {
  const code = new URLSearchParams(location.search).get('code')!
  const grant = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: there!,
    client_id: client!,
    code_verifier: verifier!,
  }
  const { access_token } = await (await fetch(token!, { method: 'POST', body: new URLSearchParams(grant) })).json()
  const answer = await fetch(mcp!, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${access_token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  })
  return { status: answer.status, text: await answer.text() }
}

test.each([
  { viewport: desktop, colorScheme: 'light', scripts: true },
  { viewport: phone, colorScheme: 'dark', scripts: false },
] as const)('its person is asked whether it may come in; scripts: $scripts', async look => {
  const { page, context } = await open('Cleo', look)
  // Without scripts of ours: the page elsewhere has its own.
  const other = await open('Cleo')
  await other.page.goto(there)
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const { to, ...given } = await other.page.evaluate(register, { mcp, there, challenge })
  await page.goto(to)
  await page.getByRole('heading', { name: 'Let Inspector in?' }).waitFor()
  await picture(page, `let-in-${look.viewport.width}`)
  if (look.scripts) expect(await findings(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  await button(page, 'Let it in').press('Enter')
  await page.getByText('Choose one of your roles.').first().waitFor()
  await picture(page, `let-in-refused-${look.viewport.width}`)
  await page.getByLabel('Role').selectOption('Clerk')
  await button(page, 'Let it in').press('Enter')
  await page.waitForURL(url => url.href.startsWith(`${there}?`))
  await other.page.goto(page.url())
  const answer = await other.page.evaluate(ask, { mcp, there, verifier, ...given })
  expect(answer).toEqual({ status: 200, text: expect.stringContaining('"take_step"') })
  expect(complaints.splice(0)).toEqual([])
  await Promise.all([context.close(), other.context.close()])
})
