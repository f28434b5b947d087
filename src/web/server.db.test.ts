import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { raw, sql } from '../expression/sql.ts'
import { bodyBytes, headersTimeout } from './bounds.ts'
import { contentSecurityPolicy } from './headers.ts'
import { internal } from './internal.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from './testing.ts'

let web: TestWeb
let cleo: TestBrowser
let visitor: TestBrowser

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'))
  cleo = await web.browser('Cleo')
  visitor = await web.browser(null)
})
afterAll(() => web?.stop())

/** What stands in the first line and the headers of a request that no client library would send. */
function rawRequest(text: string, { port } = web.web): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', data => {
      answer += String(data)
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
    socket.write(text)
  })
}

const everywhere: readonly (readonly [string, string])[] = [
  ['GET', '/'],
  ['GET', '/loans'],
  ['GET', '/desk'],
  ['GET', '/reports'],
  ['GET', '/loans/new'],
  ['GET', '/loans/nope'],
  ['GET', '/nope'],
  ['GET', '/-/sign-in'],
  ['GET', '/-/nope'],
  ['GET', '/-/mailbox'],
  ['GET', '/-/document'],
  ['GET', '/-/errors/NF-STALE'],
  ['GET', '/-/assets/nope.css'],
  ['POST', '/loans/new'],
  ['POST', '/-/sign-out'],
  ['PUT', '/loans'],
  ['DELETE', '/loans'],
  ['OPTIONS', '/loans'],
  ['HEAD', '/loans'],
  ['GET', '/api/v1/loan'],
  ['GET', '/api/v1/nope'],
  ['POST', '/api/v1/loan'],
  ['PUT', '/api/v1/loan'],
  ['GET', '/api/v1/openapi.json'],
  ['GET', '/api'],
  ['GET', '/livez'],
  ['GET', '/readyz'],
  ['GET', '/%zz'],
  ['GET', '/%00'],
  ['GET', `/${'x'.repeat(9000)}`],
]

test.each(everywhere)('%s %s has every security header, is never kept, and is no failure', async (method, path) => {
  for (const browser of [cleo, visitor]) {
    const page = await browser.request(method, path)
    expect(page.status).toBeLessThan(500)
    const headers = Object.fromEntries(page.headers)
    expect(headers).toMatchObject({
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    // What has a body says what it is, and in which letters.
    if (page.text !== '') expect(headers['content-type']).toMatch(/^[\w/+-]+; charset=utf-8$/)
    for (const leak of ['x-powered-by', 'server', 'access-control-allow-origin'])
      expect(headers).not.toHaveProperty(leak)
    for (const cookie of page.headers.getSetCookie()) expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax/)
  }
})

test('requests that are hardly HTTP get an answer with the same headers', async () => {
  for (const [text, status] of [
    ['GARBAGE\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nhost: x\r\nbig: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['GET /%ff%fe HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n', 400],
    ['GET //evil.example HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n', 400],
    ['GET /.//evil.example HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n', 400],
    ['GET http://evil.example/ HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n', 400],
  ] as const) {
    const answer = await rawRequest(text)
    expect(answer.split('\r\n')[0]).toContain(String(status))
    expect(answer).toContain("default-src 'none'")
  }
})

test('two lengths of one body are none, and what stands behind a body is not read as another request of it', async () => {
  const behind = 'GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n'
  for (const lengths of [
    'content-length: 5\r\ntransfer-encoding: chunked\r\n',
    'transfer-encoding: chunked\r\ncontent-length: 5\r\n',
    'content-length: 5\r\ncontent-length: 6\r\n',
    'transfer-encoding: xchunked\r\ncontent-length: 5\r\n',
    'transfer-encoding : chunked\r\n',
    'content-length: +5\r\n',
  ]) {
    const answer = await rawRequest(`POST /-/sign-in HTTP/1.1\r\nhost: localhost\r\n${lengths}\r\n0\r\n\r\n${behind}`)
    expect([lengths, answer.match(/HTTP\/1\.1 \d+/g)]).toEqual([lengths, ['HTTP/1.1 400']])
  }
})

test('a request is not sent back, and nothing that only lies near is served', async () => {
  for (const method of ['TRACE', 'TRACK', 'CONNECT']) {
    const answer = await rawRequest(
      `${method} / HTTP/1.1\r\nhost: localhost\r\ncookie: what=secret\r\nconnection: close\r\n\r\n`,
    )
    expect([method, /^HTTP\/1\.1 (?:400|405)/.test(answer) || answer === '', answer.includes('secret')]).toEqual([
      method,
      true,
      false,
    ])
  }
  for (const path of ['/.git/config', '/.env', '/package.json', '/-/assets', '/-/assets/..%2fserver.ts'])
    expect([path, (await cleo.get(path)).status]).toEqual([path, 404])
})

test('an address of Ninefold’s own is written one way only: what looks at it and what leads from it see the same', async () => {
  for (const [path, status] of [
    ['/-/%61ccount', 404],
    ['/-/account%2Fkeys', 404],
    ['/%2d/account', 400],
    ['/%61pi/v1/loan', 400],
    ['/-/account', 200],
  ] as const)
    expect([path, (await cleo.get(path)).status]).toEqual([path, status])
  for (const method of ['PUT', 'OPTIONS'])
    for (const path of ['/loans', '/-/account', '/-/nowhere'])
      expect([method, path, (await cleo.request(method, path)).headers.get('allow')]).toEqual([
        method,
        path,
        'GET, HEAD, POST',
      ])
})

test('no address of Ninefold’s own fails when it is asked for as it stands', async () => {
  for (const [path, { get }] of Object.entries(internal)) {
    if (get === undefined) continue
    for (const who of [visitor, cleo]) expect([path, (await who.get(path)).status < 500]).toEqual([path, true])
  }
})

test('every page of whoever is signed in has the way out', async () => {
  for (const path of [
    '/loans',
    '/loans/new',
    '/loans/nope',
    '/nope',
    '/-/account',
    '/-/notices',
    '/-/search?q=a',
    '/-/document',
  ])
    expect([path, (await cleo.get(path)).text.includes('formAction="/-/sign-out"')]).toEqual([path, true])
})

test('what stands in the address is no part of the form, and the other way round', async () => {
  const token = await cleo.token()
  const count = async () => (await web.run.runtime.store.query(sql`select count(*) as n from public.loan`))[0]
  const before = await count()
  expect((await cleo.post(`/loans/new?_csrf=${token}`, { purpose: 'x' })).status).toBe(403)
  const page = await cleo.post('/loans/new?due_back=2027-03-05&purpose=from-the-address', { _csrf: token })
  expect([page.status, page.text.includes('from-the-address')]).toEqual([422, false])
  expect((await cleo.json('POST', '/api/v1/loan?due_back=2027-03-05', {})).status).toBe(422)
  expect(await count()).toEqual(before)
})

test('a name that only leads here is not ours', async () => {
  for (const host of ['evil.example', 'localhost.evil.example', 'evil.example:3000'])
    expect(await rawRequest(`GET /loans HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)).toContain('421')
})

test('who sends the head of a request drop by drop is not waited for', async () => {
  const answer = await rawRequest('GET /livez HTTP/1.1\r\nhost: loc')
  expect(answer).toContain('408')
  expect(answer).toContain("default-src 'none'")
  // Node itself would wait for a minute.
  expect(headersTimeout).toBeLessThanOrEqual(10_000)
})

test('a body that is too large, or of another kind, is refused', async () => {
  const token = await cleo.token()
  const large = `_csrf=${token}&purpose=${'x'.repeat(bodyBytes)}`
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await cleo.request('POST', '/loans/new', { headers: form, body: large })).status).toBe(413)
  expect(
    (await cleo.request('POST', '/api/v1/loan', { headers: { 'content-type': 'application/json' }, body: large }))
      .status,
  ).toBe(413)
  expect(
    (await cleo.request('POST', '/loans/new', { headers: { 'content-type': 'text/plain' }, body: `_csrf=${token}` }))
      .status,
  ).toBe(415)
  expect(
    (
      await cleo.request('POST', '/loans/new', {
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
        body: 'x',
      })
    ).status,
  ).toBe(400)
})

test('a form from elsewhere, without a token, or with somebody else’s, does nothing', async () => {
  const token = await cleo.token()
  const strange = await visitor.token()
  const before = await web.run.runtime.store.query(sql`select count(*) as n from public.loan`)
  const fields = { due_back: '2026-03-05' }
  const tries = [
    cleo.post('/loans/new', { ...fields, _csrf: token }, { 'sec-fetch-site': 'cross-site' }),
    cleo.post('/loans/new', { ...fields, _csrf: token }, { 'sec-fetch-site': 'same-site' }),
    cleo.post('/loans/new', { ...fields, _csrf: token }, { origin: 'https://evil.example' }),
    cleo.post('/loans/new', { ...fields, _csrf: token }, { origin: 'null' }),
    cleo.post('/loans/new', fields),
    cleo.post('/loans/new', { ...fields, _csrf: strange }),
    cleo.post('/-/sign-out', { _csrf: token }, { 'sec-fetch-site': 'cross-site' }),
    cleo.post('/-/sign-in', { email: 'x', password: 'y', _csrf: token }, { origin: 'https://evil.example' }),
    cleo.json('POST', '/api/v1/loan', fields, { origin: 'https://evil.example' }),
    cleo.json('POST', '/api/v1/loan', fields, { 'sec-fetch-site': 'cross-site' }),
  ]
  for (const page of await Promise.all(tries)) expect(page.status).toBe(403)
  expect(
    (await cleo.request('POST', '/api/v1/loan', { headers: { 'content-type': 'text/plain' }, body: '{}' })).status,
  ).toBe(415)
  expect((await cleo.get('/loans')).status).toBe(200)
  expect(await web.run.runtime.store.query(sql`select count(*) as n from public.loan`)).toEqual(before)
})

test('over https cookies are __Host- and Secure, https is asked for, and pages of dev are not there', async () => {
  const secure = await web.another({ publicUrl: 'https://desk.example', mode: 'serve' })
  try {
    const answer = await rawRequest(
      'GET /-/sign-in HTTP/1.1\r\nhost: desk.example\r\nconnection: close\r\n\r\n',
      secure,
    )
    expect(answer).toContain('200 OK')
    expect(answer).toMatch(/set-cookie: __Host-ninefold-visit=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure\r\n/)
    expect(answer).toContain('strict-transport-security: max-age=31536000; includeSubDomains')
    for (const path of ['/-/mailbox', '/-/document', '/-/demo', '/-/diagnostics', '/-/clock'])
      expect(
        await rawRequest(`GET ${path} HTTP/1.1\r\nhost: desk.example\r\nconnection: close\r\n\r\n`, secure),
      ).toContain('404')
    expect(await rawRequest('GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n', secure)).toContain('421')
  } finally {
    await secure.close()
  }
})

const hostile = [
  '\0',
  'a\0b',
  '\ud800',
  '\udc00x',
  '\u202e',
  "'; drop table loan; --",
  '<script>alert(1)</script>',
  '{{7*7}}',
  '%00',
  '%s%s',
  '../../etc/passwd',
  '9'.repeat(400),
  '-1',
  'NaN',
  'Infinity',
  '1e999',
  '2026-02-30',
  '0000-00-00',
  '99999-01-01',
  'x'.repeat(5000),
  '\r\nSet-Cookie: a=b',
  '\u0000\u0001\u0002',
  '💩'.repeat(600),
  ' ',
  '\ufeff',
  'İ',
  'ﬁ',
]

test.each(hostile.map(text => [text]))(
  '%j in every place that takes text is refused or taken, never a failure',
  async text => {
    const encoded = encodeURIComponent(text.toWellFormed())
    const parameters = [
      'q',
      'sort',
      'after',
      'before',
      'state',
      'due_back',
      'due_back.before',
      'borrower',
      'number',
      encoded,
    ]
    const query = parameters.map(name => `${name}=${encoded}`).join('&')
    const paths = [
      `/loans/${encoded}`,
      `/loans/${encoded}/edit`,
      `/loans/${encoded}/do/approve`,
      `/loans/x/do/${encoded}`,
      `/loans?${query}`,
      `/loans?q=${encoded}`,
      `/-/options?entity=loan_line&field=item&q=${encoded}`,
      `/-/options?entity=${encoded}&field=${encoded}`,
      `/-/mailbox?id=${encoded}`,
      `/-/document?file=${encoded}`,
      `/-/errors/${encoded}`,
      `/-/sign-in?next=${encoded}`,
      `/-/link?token=${encoded}`,
      `/loans/new?kept=${encoded}`,
      ...parameters.map(name => `/api/v1/loan?${name}=${encoded}`),
      `/api/v1/loan?limit=${encoded}`,
      `/api/v1/loan/${encoded}`,
      `/api/v1/${encoded}`,
    ]
    const asked = paths.map(async path => {
      const page = await cleo.get(path)
      expect([path, page.status < 500]).toEqual([path, true])
      expect(page.headers.get('set-cookie') ?? '').not.toContain('a=b')
      if (page.headers.get('content-type')?.includes('html'))
        expect(page.text).not.toContain('<script>alert(1)</script>')
    })
    await Promise.all(asked)
    const token = await cleo.token()
    const fields = [
      'purpose',
      'due_back',
      'out_on',
      'borrower',
      'lines.0.item',
      'lines.0.id',
      'lines.0.value',
      '_version',
      '_was',
      '_once',
      '_next',
      text,
    ]
    const whole = Object.fromEntries([...fields.map(name => [name, text]), ['_csrf', token], ['lines', '']])
    const forms = [
      whole,
      ...['_add', '_remove', '_pick'].map(name => ({ ...whole, [name]: text, '_q.lines.0.item': text })),
      { ...whole, _pick: 'lines.0.item', '_q.lines.0.item': text },
    ]
    const sent = forms.map(async form => {
      const page = await cleo.post('/loans/new', form)
      expect(page.status).toBeLessThan(500)
      expect(page.text).not.toContain('<script>alert(1)</script>')
    })
    await Promise.all(sent)
    for (const body of [
      { purpose: text },
      { [text]: text },
      { lines: [{ item: text, id: text }] },
      { lines: text },
      text,
      [text],
    ])
      expect((await cleo.json('POST', '/api/v1/loan', body)).status).toBeLessThan(500)
    for (const name of ['idempotency-key', 'if-match', 'accept', 'cookie', 'user-agent', 'x-forwarded-for']) {
      const value = text.replace(/[^\x20-\x7e]/g, '?')
      expect((await cleo.json('POST', '/api/v1/loan', {}, { [name]: value })).status).toBeLessThan(500)
    }
  },
)

test('ten thousand fields, deep JSON and strange cursors are refused', async () => {
  const token = await cleo.token()
  const many = Array.from({ length: 10_000 }, (_, index) => [`f${index}`, 'x'] as const)
  expect((await cleo.post('/loans/new', [...many, ['_csrf', token]])).status).toBe(413)
  const rows = Array.from({ length: 1500 }, (_, index) => [`lines.${index}.item`, 'x'] as const)
  expect((await cleo.post('/loans/new', [...rows, ['_csrf', token]])).status).toBe(422)
  const deep = '['.repeat(5000)
  expect(
    (await cleo.request('POST', '/api/v1/loan', { headers: { 'content-type': 'application/json' }, body: deep }))
      .status,
  ).toBe(400)
  for (const place of [
    'x',
    '[]',
    '[null]',
    '[1]',
    '{}',
    '["a","b","c","d"]',
    '[[]]',
    '"',
    '[{"a":1}]',
    '["\\u0000","x"]',
  ]) {
    const cursor = Buffer.from(place).toString('base64url')
    expect((await cleo.get(`/loans?after=${cursor}&sort=due_back`)).status).toBe(200)
    expect((await cleo.get(`/loans?before=${cursor}`)).status).toBe(200)
    expect((await cleo.get(`/api/v1/loan?after=${cursor}`)).status).toBeLessThan(500)
  }
})

test('any query string is answered', async () => {
  const name = fc.oneof(
    fc.constantFrom(
      'q',
      'sort',
      'after',
      'before',
      'state',
      'due_back.before',
      'total_value.at-least',
      'number',
      'borrower',
    ),
    fc.string(),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, fc.string({ unit: 'binary' })), { maxLength: 5 }), async pairs => {
      const query = new URLSearchParams(
        pairs.map(([key, value]) => [key.toWellFormed(), value.toWellFormed()]),
      ).toString()
      expect((await cleo.get(`/loans?${query}`)).status).toBe(200)
      expect((await cleo.get(`/api/v1/loan?${query}`)).status).toBeLessThan(500)
    }),
    { numRuns: 60 },
  )
})

test('a failure of ours says so, without saying what, and is written down under the same reference', async () => {
  const { store } = web.run.runtime
  await store.inTransaction(tx => tx.query(raw('alter table public.loan rename to hidden')))
  try {
    const page = await cleo.get('/loans')
    expect(page.status).toBe(500)
    expect(page.headers.get('content-security-policy')).toBe(contentSecurityPolicy)
    const reference = page.headers.get('x-request-id')!
    expect(page.text).toContain(reference)
    expect(page.text).toContain('Nothing was changed.')
    expect(page.text).not.toMatch(/relation|postgres|select |node_modules/i)
    const entry = web.log.find(one => one.event === 'failure' && one.request === reference)
    expect(String(entry?.detail.error)).toContain('does not exist')
    const answer = await cleo.json('GET', '/api/v1/loan')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      500,
      'application/problem+json; charset=utf-8',
    ])
    expect(answer.text).not.toMatch(/relation|postgres/i)
  } finally {
    await store.inTransaction(tx => tx.query(raw('alter table public.hidden rename to loan')))
    store.tablesChanged()
  }
})

test.each([
  ['was', `insert into ninefold.document (version, files, applied_at) values ('newer', '[]', now())`],
  // Or its `apply` was interrupted.
  ['is being', `comment on table ninefold.document is 'newer'`],
])(
  'what is missing because a newer document %s applied is no failure: people are asked to come again',
  async (_, done) => {
    const { store, app } = web.run.runtime
    const change = async (text: string) => {
      await store.inTransaction(tx => tx.query(raw(text)))
      store.tablesChanged()
    }
    await change(done)
    await change('alter table public.loan rename to hidden')
    try {
      const page = await cleo.get('/loans')
      expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5'])
      expect(page.text).toContain('Just being updated')
      expect((await cleo.json('GET', '/api/v1/loan')).status).toBe(503)
      const entry = web.log.findLast(one => one.event === 'unavailable')
      expect(String(entry?.detail.error)).toContain(
        `The document newer is applied, and this process serves ${app.version}`,
      )
    } finally {
      await change('alter table public.hidden rename to loan')
      await change(`delete from ninefold.document where version = 'newer'`)
      await change('comment on table ninefold.document is null')
    }
  },
)

test('pages are compressed for those who take it, and health is told to everybody', async () => {
  const coded = async (accepted: string) => {
    const page = await cleo.get('/-/document', { 'accept-encoding': accepted })
    expect([page.headers.get('vary'), page.text]).toEqual(['accept-encoding', expect.stringContaining('</html>')])
    return page.headers.get('content-encoding')
  }
  expect(await coded('gzip')).toBe('gzip')
  expect(await coded('gzip, deflate, br, zstd')).toBe('br')
  expect(await coded('br;q=0, gzip;q=0.5')).toBe('gzip')
  expect(await coded('gzip;q=0')).toBeNull()
  expect((await cleo.get('/-/document', { 'accept-encoding': 'identity' })).headers.get('content-encoding')).toBeNull()
  expect((await visitor.get('/livez')).status).toBe(200)
  expect((await visitor.get('/readyz')).status).toBe(200)
})
