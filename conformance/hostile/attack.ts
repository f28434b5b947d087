/** Everything of the corpus, at every place that takes something. Gives the answers that no input may ever get. */
import type { Client, Message, Response } from '../client.ts'
import type { Desk, Server } from '../desk.ts'
import { contentTypes, elsewhere, json, texts } from './corpus.ts'
import { exchange, rawRequests } from './wire.ts'

export interface Attacked {
  readonly sent: number
  /** How often which status was answered. */
  readonly statuses: Readonly<Record<string, number>>
  readonly wrong: readonly string[]
}

interface Shot extends Message {
  readonly path: string
}

/** Requests under way at a time. */
const atOnce = 12

export interface AttackOptions {
  /** Of so many shots one is fired: another one by each person, and with each `turn`. 1: all of them by everybody. */
  readonly oneOf: number
  readonly turn: number
  /** So many wrong answers are enough. */
  readonly upTo: number
}

export async function attack(desk: Desk, server: Server, { oneOf, turn, upTo }: AttackOptions): Promise<Attacked> {
  const wrong: string[] = []
  const statuses: Record<string, number> = {}
  const people = [server.visitor, server.as(desk.people.Ben), server.as(desk.people.Mia)]
  const loans = await Promise.all([1, 2].map(() => draft(desk, people[1]!)))
  let sent = 0
  const judge = (shot: Shot, response: Response | Error) => {
    sent++
    const status = response instanceof Error ? 'broken off' : String(response.status)
    statuses[status] = (statuses[status] ?? 0) + 1
    const reason = faultOf(response)
    if (reason !== null)
      wrong.push(
        `${reason}: ${shot.method ?? 'GET'} ${shot.path.slice(0, 200)} ${String(shot.body ?? '').slice(0, 200)}`,
      )
  }
  for (const person of people) {
    const token = await person.token()
    const shots = [
      ...addresses(loans),
      ...bodies(desk, loans[0]!.id),
      ...forms(desk, loans, token),
      ...types(loans, token),
    ]
    // The corpus is large. The big ones are always fired; of the others everybody fires their part.
    const phase = turn * people.length + people.indexOf(person)
    const own = shots.filter(({ body, path }, index) => (index + phase) % oneOf === 0 || (body ?? path).length > 5000)
    let next = 0
    const worker = async () => {
      for (let shot = own[next++]; shot !== undefined && wrong.length < upTo; shot = own[next++])
        judge(shot, await person.request(shot.path, shot).catch((error: Error) => error))
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
  }
  await Promise.all(
    rawRequests.map(async ([name, bytes]) => {
      const answer = await exchange(server.port, bytes)
      sent++
      for (const [, status = ''] of answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)) {
        statuses[status] = (statuses[status] ?? 0) + 1
        if (status >= '500') wrong.push(`${name}: ${status}`)
      }
      if (/^location: *(https?:)?\/\/(?!localhost:3000)/im.test(answer)) wrong.push(`${name}: leads elsewhere`)
    }),
  )
  const alive = await server.visitor.get('/livez')
  if (alive.status !== 200) wrong.push(`it does not live: ${alive.status}`)
  return { sent, statuses, wrong }
}

/** What is wrong with an answer, whatever was asked. */
function faultOf(response: Response | Error): string | null {
  if (response instanceof Error) return response.message
  const { status, text, headers } = response
  if (status >= 500) return `status ${status}`
  if (/<script>alert/.test(text) && headers['content-type']?.startsWith('text/html') === true)
    return 'a script came back'
  if (headers['set-cookie']?.some(line => line.startsWith('evil')) === true) return 'a header was smuggled in'
  if (headers['x-content-type-options'] !== 'nosniff' || headers['content-security-policy'] === undefined)
    return 'no protection in the head'
  const { location } = headers
  if (location !== undefined && new URL(location, 'http://localhost:3000').origin !== 'http://localhost:3000')
    return `leads to ${location}`
  return null
}

async function draft(desk: Desk, client: Client): Promise<{ id: string; number: string }> {
  const body = { due_back: '2026-03-06', lines: [{ item: desk.items['CA-0001'] }] }
  return JSON.parse((await client.api('POST', '/loan', body)).text) as { id: string; number: string }
}

type Loans = readonly { readonly id: string; readonly number: string }[]

const fields = [
  'number',
  'borrower',
  'out_on',
  'due_back',
  'purpose',
  'lines',
  'total_value',
  'days',
  'returned_at',
  'state',
]

/** As an address holds it. What has no UTF-8 (half a surrogate pair) comes as the bytes that a careless client sends. */
function inAddress(text: string): string {
  return text.isWellFormed()
    ? encodeURIComponent(text)
    : [...text].map(letter => (letter.isWellFormed() ? encodeURIComponent(letter) : '%ED%A0%80')).join('')
}

function addresses([loan]: Loans): readonly Shot[] {
  const { id, number } = loan!
  const shots: Shot[] = []
  const paths = [
    '/',
    '/loans/',
    `/loans/${number}/do/`,
    '/-/',
    '/-/errors/',
    '/-/assets/',
    '/api/v1/',
    '/api/v1/loan/',
    `/api/v1/loan/${id}/`,
  ]
  for (const text of [...texts, ...elsewhere])
    for (const path of paths) {
      shots.push({ path: `${path}${inAddress(text)}` })
      // As it stands, as far as a request line can hold it.
      if (/^[!-~]+$/.test(text)) shots.push({ path: `${path}${text}` })
    }
  const queries = {
    '/loans': [
      ...fields,
      'q',
      'sort',
      'after',
      'before',
      'kept',
      'due_back.before',
      'state.any-of',
      'purpose.contains',
    ],
    '/api/v1/loan': [...fields, 'q', 'sort', 'after', 'limit', 'count', 'due_back.at-least', 'returned_at.is-empty'],
    '/desk': ['state', 'sort'],
    [`/loans/${number}/edit`]: ['kept'],
    '/-/options': ['entity', 'field', 'q'],
    '/-/sign-in': ['next', 'again', 'email'],
    '/-/link': ['token', 'next'],
    '/-/document': ['file', 'line'],
  }
  for (const [path, names] of Object.entries(queries))
    for (const name of names)
      for (const text of texts) {
        const options = path === '/-/options' ? 'entity=loan_line&field=item&' : ''
        shots.push({ path: `${path}?${options}${name}=${inAddress(text)}` })
      }
  for (const text of texts)
    shots.push({ path: `/loans?${inAddress(text)}=1` }, { path: `/api/v1/loan?${inAddress(text)}=1` })
  for (const sort of ['number', 'due_back', 'purpose', 'borrower', 'state', 'returned_at', '-days'])
    for (const place of [...json, ...texts.map(text => JSON.stringify(text))])
      for (const cursor of [place, `[${place}]`, `[${place},"${id}"]`, `["x",${place}]`])
        shots.push({ path: `/api/v1/loan?sort=${sort}&after=${Buffer.from(cursor).toString('base64url')}` })
  shots.push({ path: `/loans?${'a=1&'.repeat(3000)}` }, { path: `/api/v1/loan?${'state=Out&'.repeat(1500)}` })
  for (const next of elsewhere) shots.push({ path: `/-/sign-in?next=${inAddress(next)}` })
  return shots
}

function bodies(desk: Desk, id: string): readonly Shot[] {
  const item = desk.items['CA-0001']
  const type = { 'content-type': 'application/json' }
  const shots: Shot[] = []
  const send = (body: string | Buffer, headers: Readonly<Record<string, string>> = {}) =>
    shots.push(
      { path: '/api/v1/loan', method: 'POST', headers: { ...type, ...headers }, body },
      { path: `/api/v1/loan/${id}`, method: 'PATCH', headers: { ...type, ...headers }, body },
    )
  const values = [...json, ...texts.map(text => JSON.stringify(text))]
  for (const value of values) {
    send(value)
    for (const field of [...fields, 'version', 'id', 'nonsense']) send(`{"${field}":${value}}`)
    for (const field of ['item', 'value', 'damaged', 'id', 'loan', 'position'])
      send(`{"due_back":"2026-03-06","lines":[{"item":"${item}","${field}":${value}}]}`)
    send(`{"lines":${value}}`)
    send(`{"lines":[${value}]}`)
  }
  for (const text of texts) send(`{${JSON.stringify(text)}:1}`)
  send('['.repeat(200_000))
  send(`${'{"a":'.repeat(100_000)}1`)
  send(`{"lines":${'['.repeat(5000)}${']'.repeat(5000)}}`)
  send(JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`field_${index}`, index]))))
  send(JSON.stringify({ due_back: '2026-03-06', lines: Array.from({ length: 3000 }, () => ({ item })) }))
  send(JSON.stringify({ due_back: '2026-03-06', lines: Array.from({ length: 400 }, () => ({ item })) }))
  send(`{"purpose":"${'a'.repeat(900_000)}"}`)
  send(Buffer.from('{"purpose":"\xff\xfe"}', 'latin1'))
  send(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{}')]))
  send(Buffer.from('{}', 'utf16le'))
  send('{"due_back":"2026-03-06","due_back":"2026-03-07"}')
  send('{"a":1')
  send('a'.repeat(2_000_000))
  for (const text of texts.filter(text => /^[ -~]*$/.test(text)))
    send('{"due_back":"2026-03-06"}', {
      'if-match': text,
      'idempotency-key': text,
      accept: `application/json, ${text}`,
    })
  return shots
}

function forms(desk: Desk, [loan, second]: Loans, token: string): readonly Shot[] {
  const { number } = loan!
  const shots: Shot[] = []
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
  const post = (path: string, body: string) =>
    shots.push({ path, method: 'POST', headers, body: `${body}&_csrf=${encodeURIComponent(token)}` })
  const ours = [
    '_once',
    '_version',
    '_was',
    '_pick',
    '_add',
    '_remove',
    '_q.lines.0.item',
    '_take.purpose',
    '_next',
    '_kept',
  ]
  const rows = ['lines.0.item', 'lines.0.damaged', 'lines.0.id', 'lines.999999.item', 'lines.x.item', 'nonsense.0.item']
  for (const text of texts) {
    const value = inAddress(text)
    for (const name of [...fields, ...ours, ...rows]) {
      post('/loans/new', `due_back=2026-03-06&${name}=${value}`)
      post(`/loans/${number}/edit`, `${name}=${value}`)
    }
    post('/loans/new', `_pick=lines.0.item&_q.lines.0.item=${value}`)
    post('/loans/new', `${value}=1`)
    post('/-/people/role', `person=${value}&role=Clerk&do=appoint`)
    post('/-/people/role', `person=${desk.people.Otto.id}&role=${value}&do=${value}`)
    post('/-/people', `name=${value}&email=${value}`)
    post('/-/limits', `key=${value}&value=1`)
    post('/-/limits', `key=max_items&value=${value}`)
    post('/-/account', `current=${value}&password=${value}&again=${value}`)
    post('/-/link', `token=${value}`)
    post('/-/clock', `to=${value}`)
    post('/-/demo', `person=${value}`)
    post(`/loans/${second!.number}/do/approve`, `_version=${value}&_next=${value}&_once=${value}`)
  }
  for (const text of texts.slice(0, 30)) post('/-/sign-in', `email=${inAddress(text)}&password=${inAddress(text)}`)
  for (const next of elsewhere) post(`/loans/${second!.number}/do/submit`, `_next=${inAddress(next)}`)
  for (const was of json)
    post(
      `/loans/${number}/edit`,
      `purpose=x&_was=${Buffer.from(`{"texts":${was},"lists":${was}}`).toString('base64url')}`,
    )
  post('/loans/new', Array.from({ length: 10_000 }, (_, index) => `field_${index}=1`).join('&'))
  post('/loans/new', Array.from({ length: 1900 }, (_, index) => `lines.${index}.item=x`).join('&'))
  post('/loans/new', `purpose=${'a'.repeat(900_000)}`)
  post('/loans/new', '&=&=&;;%%%=%%&a=b=c')
  return shots
}

function types([loan, second]: Loans, token: string): readonly Shot[] {
  const shots: Shot[] = []
  const sent = [
    '',
    '{}',
    '{"due_back":"2026-03-06"}',
    `a=1&_csrf=${encodeURIComponent(token)}`,
    '--x\r\n\r\n1\r\n--x--',
    '\0',
  ]
  for (const type of contentTypes)
    for (const body of sent)
      for (const [method, path] of [
        ['POST', '/api/v1/loan'],
        ['PATCH', `/api/v1/loan/${loan!.id}`],
        ['POST', `/api/v1/loan/${second!.id}/approve`],
        ['POST', '/loans/new'],
        ['POST', '/-/sign-in'],
        ['PUT', '/loans/new'],
        ['DELETE', '/loans'],
      ] as const)
        shots.push({ path, method, headers: { 'content-type': type }, body })
  return shots
}
