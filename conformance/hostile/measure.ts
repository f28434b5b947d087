/**
 * What `notes.md` costs per letter of what is sent to it: each input in three lengths, each four times the one before, sent and then shown
 * wherever it is shown. Prints how each was answered, those that are dear for what they say (`sizes.ts`), and those whose processor time grows faster than their length, as JSON. A process of its own, so that a defence
 * can be taken out of the sources before they are loaded; it counts its own processor time, with that of the client in it, and that of the database where it runs on this machine.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import '../../scripts/tsx-hook.mjs'
import type { Page } from '../../src/web/testing.ts'

process.env.NODE_ENV = 'production'
// After the loader of `.tsx` is in place.
const { readSound } = await import('../../src/run/testing.ts')
const { fieldsOf, multipart, startTestWeb } = await import('../../src/web/testing.ts')
const { sql } = await import('../../src/expression/sql.ts')
const { workJobs } = await import('../../src/run/many/work-jobs.ts')
const { internal } = await import('../../src/web/internal.ts')
const { cookieJar } = await import('../../src/web/sign-in/cookies.ts')
const read = await import('./names.ts')
const { records, sizes } = await import('./sizes.ts')
const { someOf } = await import('../../scripts/limits.ts')

const web = await startTestWeb(process.env.DATABASE_URL!, readSound(join(import.meta.dirname, 'notes.md')))
const reader = await web.browser('Kim')
const visitor = await web.browser(null)
const { store } = web.run.runtime
/** Somebody beside the reader, who appoints people and looks after their data. */
const other = Object.entries(web.run.people).find(([name]) => name !== 'Kim')![1]

/** Letters of the shortest. */
const shortest = 6_000
/** Four times the length may take so many times the time; what grows with the square takes sixteen. */
const most = 8
/** Milliseconds that say nothing yet. */
const little = 60

/** What is repeated, in texts. */
const units = ['*a_', '> a\n\n', '[', '](', '`a``', '<?', '- ', '=\n', '\u0315\u0300', ' a', '\n', '\u200d', '0', ',']

/** What is set in lines and pages in ways of its own. */
const setUnits = ['> a\n\n', '*a_', ' a', '0']

let made = 0

/** No text is sent twice: what is kept by its content would cost nothing the second time. */
const repeated = (unit: string, letters: number) => `a${++made}${unit.repeat(letters / unit.length)}b`

/** A text is stored and then shown: the record with its history, the list, the search, on paper, taken out, by the API. */
async function shown(text: string): Promise<number> {
  const { status, text: body } = await reader.json('POST', '/api/v1/note', { text })
  if (status !== 201) return status
  const { id, number } = JSON.parse(body)
  await reader.json('PATCH', `/api/v1/note/${id}`, { text: `${text}c` })
  const places = [`/notes/${number}`, `/notes/${number}/edit`, `/notes/${number}/paper`, `/notes?number=${number}`]
  for (const place of [...places, `/notes?number=${number}&_export=csv`, `/api/v1/note/${id}`, `/-/search?q=${number}`])
    await reader.get(place)
  // Else each search from here on looks through it.
  await store.inTransaction(tx => tx.write(sql`delete from public.note where id = ${id}`))
  return status
}

/** A text is stored and set in a PDF. */
async function printed(text: string): Promise<number> {
  const { status, text: body } = await reader.json('POST', '/api/v1/note', { text })
  if (status !== 201) return status
  const { id, number } = JSON.parse(body)
  const paper = await reader.get(`/notes/${number}/paper?_export=pdf`)
  await store.inTransaction(tx => tx.write(sql`delete from public.note where id = ${id}`))
  return paper.status
}

/** Through a form that is not for everyone: of those, only a few are taken from one address in an hour. */
async function sent(fields: Readonly<Record<string, string>>): Promise<number> {
  const form = fieldsOf((await reader.get('/new')).text, '/new')
  return (await reader.post('/new', { ...form, ...fields })).status
}

const statusOf = async (page: Promise<{ readonly status: number }>): Promise<number> => (await page).status

/** What is searched and filtered looks through these. */
await store.inTransaction(tx =>
  tx.write(sql`insert into public.note (id, number, title, text, state, state_since, version, created_at, changed_at)
    select ('01940000-0000-7000-9000-' || lpad(n::text, 12, '0'))::uuid, 'NO-' || (900000 + n), 'Word ' || n, repeat('letters and words ', 20) || n,
      'Open', now(), 1, now(), now() from generate_series(1, 2000) as n`),
)

const talked = JSON.parse((await reader.json('POST', '/api/v1/note', { title: 'Talk' })).text)

const commented = `/api/v1/note/${talked.id}/comments`
const spoken = JSON.parse((await reader.json('POST', commented, { text: 'Said' })).text)

/** A comment is written and shown in the timeline. */
async function said(text: string): Promise<number> {
  const { status } = await reader.json('POST', commented, { text })
  await reader.get(`/notes/${talked.number}`)
  return status
}

async function importing(table: string): Promise<Page> {
  const form = multipart([
    ['_csrf', await reader.token()],
    ['file', table, 'notes.csv'],
  ])
  return reader.request('POST', '/-/import?entity=note', form)
}

const imported = (table: string): Promise<number> => statusOf(importing(table))

/** Its columns are right as they were found: each row is judged, and all are shown by what became of them. */
async function tried(table: string): Promise<number> {
  const { location: job, status } = await importing(table)
  if (status !== 303) return status
  const checked = await reader.submit(job!, job!, { do: 'check' })
  while ((await workJobs(web.run.runtime, web.run.door(), { worker: 'measure', limit: 500 })) > 0);
  await reader.get(`${job}&rows=wrong`)
  await reader.get(`${job}&rows=right`)
  return checked.status
}

function body(json: string): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  return statusOf(reader.request('POST', '/api/v1/note', { headers, body: Buffer.from(json) }))
}

/** Of the kinds whose texts have a form of their own: what nearly has it, at length. */
const formed: Readonly<Record<string, (letters: number) => string>> = {
  mail: n => `${'a.'.repeat(n / 2)}a@${'b.'.repeat(n / 2)}`,
  site: n => `https://${'a.'.repeat(n / 2)}/${'?#'.repeat(n / 2)} `,
  phone: n => `+49 ${'1 '.repeat(n / 2)}x`,
  day: n => `1${' '.repeat(n)}March${' '.repeat(n)}2026 x`,
  moment: n => `1 March${' ,'.repeat(n / 2)}12:00${' Uhr'.repeat(n / 4)}`,
  duration: n => '1 day '.repeat(n / 6),
  amount: n => `1${',000'.repeat(n / 4)}x`,
  tags: n => `${'"Red",'.repeat(n / 6)}"`,
  extra: n => `{"a":[${'1,'.repeat(n / 2)}1]}`,
}

async function savedView(fields: Readonly<Record<string, string>>): Promise<number> {
  const { status } = await reader.send('/-/view', { do: 'save', _list: '/notes?title=a', ...fields })
  await reader.get('/notes?_open=views')
  return status
}

/** A file of this name for a field that takes one. */
async function named(name: string): Promise<number> {
  const form = Object.entries(fieldsOf((await reader.get('/new')).text, '/new'))
  return statusOf(reader.request('POST', '/new', multipart([...form, ['photo', 'not a picture', `${name}.png`]])))
}

/** What an address of Ninefold itself is about, in its query. */
const about: Readonly<Record<string, string>> = {
  '/-/bulk': 'entity=note&step=close',
  '/-/cell': `of=/notes/${talked.number}/edit&field=title`,
  '/-/comments': `entity=note&id=${talked.id}`,
  '/-/emergency': 'entity=secret',
  '/-/held': 'entity=note',
  '/-/import': 'entity=note',
  '/-/job': (await importing('title\na\n')).location!.split('?')[1]!,
  '/-/options': 'entity=note&field=lines.0.word',
  '/-/print': 'screen=paper',
  '/-/why': `entity=note&id=${talked.id}`,
}

/** What a form names that is there, and stays there however often it is sent: of nothing else more than the name would be read. Null: left out. */
const there: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  '/-/account/keys': { revoke: null },
  '/-/account/sessions': { end: '0'.repeat(64) },
  '/-/account/deputies': { end: null },
  '/-/account/passkeys': { do: 'add' },
  '/-/account/second-factor': { do: 'begin' },
  '/-/act': { do: 'act' },
  '/-/comments': { do: 'add', entity: 'note', record: talked.id, reply_to: spoken.id, files: null },
  '/-/emergency': { entity: 'secret' },
  '/-/held': { do: 'release', entity: 'note', id: await held() },
  '/-/limits': { key: 'longest', takeBack: null },
  '/-/notices': { read: 'all' },
  '/-/people': { role: 'Guest' },
  '/-/people/invite': { person: other },
  '/-/people/role': { do: 'withdraw', person: other, role: 'Guest' },
  '/-/people/sign-in': { do: 'sessions', person: other },
  '/-/person-data': { person: other },
  '/-/print': { _list: '/notes', id: talked.id },
  '/-/view': { do: 'save', _list: '/notes', role: '' },
}

/** Caught by the trap, and what cannot be released: it stays. */
async function held(): Promise<string> {
  const form = fieldsOf((await visitor.get('/send')).text, '/send')
  await visitor.post('/send', { ...form, mail: 'nobody', _blank: 'x' })
  const [kept] = await store.query<{ id: string }>(sql`select id from ninefold.held_form`)
  return kept!.id
}

/** Every name that the sources read, at every address that there is: one at a time in heads and addresses, which have bounds (a quarter of them in each run), all of a form at once. */
function everywhere(): Record<string, Input> {
  const own = [`/notes/${talked.number}`, `/notes/${talked.number}/edit`, `/notes/${talked.number}/do/close`]
  const screens = ['/', '/send', '/new', '/notes', '/board', '/figures', ...own, `/notes/${talked.number}/paper`]
  const doors = Object.entries(internal).flatMap(([door, { get, post }]) =>
    door === '/-/sign-out' ? [] : [{ path: `${door}?${about[door] ?? ''}`, get, post }],
  )
  const opened = [
    ...screens.map(path => `${path}?`),
    ...doors.flatMap(({ get, path }) => (get === undefined ? [] : [path])),
  ]
  const written = [...screens, ...doors.flatMap(({ post, path }) => (post === undefined ? [] : [path]))]
  const api = ['/api/v1/note', `/api/v1/note/${talked.id}`, commented]
  const mixed = (letters: number) => 'a %,;-_."@:/1'.repeat(letters / 13)
  return Object.fromEntries([
    ...read.headers.map(name => [
      `head ${name}`,
      async (n: number) => {
        for (const path of ['/notes', ...api]) await reader.get(path, { [name]: mixed(n / 8) })
        return statusOf(reader.json('PATCH', api[1]!, { title: 'Talk' }, { [name]: mixed(n / 8) }))
      },
    ]),
    ...Object.values(cookieJar(false)).flatMap(name =>
      typeof name === 'string'
        ? [
            [
              `cookie ${name}`,
              (n: number) => statusOf(visitor.get('/send', { cookie: `${name}=${'a.-'.repeat(n / 30)}` })),
            ],
          ]
        : [],
    ),
    ...[...opened, ...api.map(path => `${path}?`)].flatMap(path =>
      someOf(read.queries, 4).map(name => [
        `query ${name} of ${path}`,
        (n: number) => statusOf(reader.get(`${path}&${new URLSearchParams({ [name]: mixed(n / 16) })}`)),
      ]),
    ),
    ...written.map(path => {
      const [place = ''] = path.split('?')
      return [
        `form of ${place}`,
        (n: number) => {
          const all = { ...Object.fromEntries(read.forms.map(name => [name, mixed(n / 25)])), ...there[place] }
          const sent = Object.entries(all).flatMap(([name, text]) => (text === null ? [] : [[name, text] as const]))
          return statusOf(reader.send(path, sent))
        },
      ]
    }),
  ])
}

const inputs: Readonly<Record<string, (letters: number) => Promise<number>>> = {
  ...Object.fromEntries(Object.entries(formed).map(([key, made]) => [`sent as ${key}`, n => sent({ [key]: made(n) })])),
  'mentions in comments': n => said('@a '.repeat(n / 60)),
  'signs in comments': n => said('**@_'.repeat(n / 40)),
  'cookies in heads': n => statusOf(visitor.get('/send', { cookie: 'ninefold=a; '.repeat(n / 80) })),
  'proxies in heads': n => statusOf(visitor.get('/send', { forwarded: 'for="[::1]",'.repeat(n / 80) })),
  'keys of repeats': n => statusOf(reader.json('POST', '/api/v1/note', {}, { 'idempotency-key': 'k'.repeat(n / 10) })),
  'parts of addresses': n => statusOf(reader.get(`/notes${'/a%41'.repeat(n / 60)}`)),
  'rows of imports': n => imported(`title,text\n${'a,b\n'.repeat(n / 16)}`),
  'tried rows of imports': n => tried(`title,text,amount\n${'a,b,1\n'.repeat(n / 60)}`),
  'tried wrong rows of imports': n => tried(`title,text,amount\n${'a,b,x\n'.repeat(n / 60)}`),
  'tried letters of imports': n => tried(`title,text\n${`a,"${'*a_ > '.repeat(n / 96)}"\n`.repeat(16)}`),
  'quotes in imports': n => imported(`title,text\n${'a,"b"""\n'.repeat(n / 32)}`),
  ...Object.fromEntries(units.map(unit => [`shown ${JSON.stringify(unit)}`, n => shown(repeated(unit, n))])),
  ...Object.fromEntries(setUnits.map(unit => [`set ${JSON.stringify(unit)}`, n => printed(repeated(unit, n))])),
  ...Object.fromEntries(units.map(unit => [`sent ${JSON.stringify(unit)}`, n => sent({ title: repeated(unit, n) })])),
  'long numbers in JSON': n => body(`{"amount":0.${'0'.repeat(2 * n)}1}`),
  'names in JSON': n => body(`{${'"a":1,'.repeat(n / 6)}"b":1}`),
  'brackets in JSON': n => body('['.repeat(10 * n)),
  'names in forms': n => sent(Object.fromEntries(Array.from({ length: n / 60 }, (_, at) => [`name ${at}`, 'x']))),
  'empty parts of forms': n => {
    const { headers } = multipart([])
    const parts = Buffer.from('------ninefold\r\n\r\n\r\n'.repeat(2 * n))
    return statusOf(visitor.request('POST', '/send', { headers, body: parts }))
  },
  'filters in addresses': n => statusOf(reader.get(`/notes?${'title=a&'.repeat(n / 60)}`)),
  'words in addresses': n => statusOf(reader.get(`/notes?q=${'a+'.repeat(n / 15)}`)),
  'tags in heads': n => statusOf(reader.get('/notes', { 'if-none-match': '"a",'.repeat(n / 30) })),
  'languages in heads': n => statusOf(visitor.get('/send', { 'accept-language': 'de;q=0.5,'.repeat(n / 70) })),
  'words alike in addresses': n => statusOf(reader.get(`/notes?q=${'leters '.repeat(n / 3500)}`)),
  'filters alike in addresses': n => statusOf(reader.get(`/notes?${'title.contains=word&'.repeat(n / 400)}`)),
  'values of filters in addresses': n => statusOf(reader.get(`/notes?${'title.any-of=a&'.repeat(n / 200)}`)),
  'names of views': n => savedView({ name: 'n'.repeat(n) }),
  'filters of views': n => savedView({ name: 'View', _list: `/notes?${'title=a&'.repeat(n / 60)}` }),
  'versions of changes': n =>
    statusOf(
      reader.json('PATCH', `/api/v1/note/${talked.id}`, { title: 'Talk' }, { 'if-match': '"1",'.repeat(n / 30) }),
    ),
  'names of files': n => named('../'.repeat(n / 80)),
  'names of files with marks': n => named('\u0315\u0300'.repeat(n / 200)),
  'parts of forms': n => {
    const parts = Array.from({ length: n / 60 }, (_, at) => [`name ${at}`, 'x'] as const)
    return statusOf(visitor.request('POST', '/send', multipart(parts)))
  },
  'rows of forms': n => sent(Object.fromEntries(Array.from({ length: n / 60 }, (_, at) => [`lines.${at}.word`, 'x']))),
  'rows in JSON': n => body(`{"lines":[${'{"word":"a"},'.repeat(n / 200)}{}]}`),
  ...everywhere(),
}

type Input = (letters: number) => Promise<number>

/** The processes of our connections to the database; none where it runs elsewhere. */
async function connections(): Promise<readonly number[]> {
  const all = await store.query<{ pid: number }>(
    sql`select pid from pg_stat_activity where datname = current_database()`,
  )
  return all.map(({ pid }) => pid)
}

/** The processor time of each in milliseconds: Linux counts hundredths of a second. */
const ofEach = (pids: readonly number[]) => new Map(pids.map(pid => [pid, 10 * ticksOf(pid)]))

function ticksOf(pid: number): number {
  try {
    const [, user, system] =
      /^\d+ \(postgres\) (?:\S+ ){11}(\d+) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return Number(user ?? 0) + Number(system ?? 0)
  } catch {
    return 0
  }
}

let known = await connections()

/** How it is answered, and the milliseconds of processor time that it took: no more than it took by the clock where that is little. */
async function taken(input: Input, letters: number): Promise<{ readonly status: number; readonly time: number }> {
  // On a busy machine each is tried more often than passwords may be guessed.
  await store.query(sql`delete from ninefold.attempt`)
  const [from, own, before] = [performance.now(), process.cpuUsage(), ofEach(known)]
  const status = await input(letters)
  const clock = performance.now() - from
  if (clock <= little) return { status, time: clock }
  const { user, system } = process.cpuUsage(own)
  known = await connections()
  const ofDatabase = [...ofEach(known)].reduce((sum, [pid, time]) => sum + time - (before.get(pid) ?? 0), 0)
  return { status, time: (user + system) / 1000 + ofDatabase }
}

/** Others on the machine only add to what is measured: the least of two tries counts, of three where it is near the bound. */
async function growsFrom(input: Input, letters: number): Promise<boolean> {
  let [short, long] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let tries = 0; tries < 3; tries++) {
    short = Math.min(short, (await taken(input, letters)).time)
    long = Math.min(long, (await taken(input, 4 * letters)).time)
    if (long <= little || (tries > 0 && long <= 5 * short)) return false
  }
  return long > most * Math.max(short, little / 4)
}

const growing: string[] = []
const answers: Record<string, number> = {}
// Those that the command names, else all.
const wanted = process.argv.slice(2)
for (const [name, input] of Object.entries(inputs)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  // Of those that are named it is known that they take long.
  if (wanted.length === 0) {
    const { status, time } = await taken(input, 16 * shortest)
    answers[name] = status
    // What takes little at its longest grows no faster than it may.
    if (time <= little) continue
  }
  if ((await growsFrom(input, shortest)) || (await growsFrom(input, 4 * shortest))) growing.push(name)
}
/** Times what the usual takes. */
const dearer = 8

/** Those that take more than what is usual at their place, where records lie as far apart as they can. */
async function dearOf(): Promise<readonly string[]> {
  const asked = (path: string, query: string) => (_: number) => statusOf(reader.get(`${path}?${query}`))
  const least = async (input: Input) => Math.min((await taken(input, 0)).time, (await taken(input, 0)).time)
  const before = new Map<string, number>()
  for (const { path, usual } of sizes) before.set(`${path}?${usual}`, await least(asked(path, usual)))
  const dear: string[] = []
  for (const record of records) {
    const { status, time } = await taken(() => statusOf(reader.json('POST', '/api/v1/note', record)), 0)
    if (time > dearer * little || (status !== 201 && status !== 422)) dear.push(`${JSON.stringify(record)}: ${status}`)
  }
  for (const { path, usual, greatest } of sizes)
    for (const query of [usual, ...greatest]) {
      const first = await taken(asked(path, query), 0)
      const most = dearer * Math.max(before.get(`${path}?${usual}`)!, little)
      const isDear = first.time > most && (await least(asked(path, query))) > most
      if (isDear || first.status >= 500) dear.push(`${path}?${query}: ${first.status}, ${Math.round(first.time)} ms`)
    }
  return dear
}

const dear = wanted.includes('sizes') ? await dearOf() : []
// Whoever was signed out on the way has measured the form to sign in.
if ((await reader.get('/notes')).status !== 200) throw new Error('The reader is not signed in any more.')
console.log(`answers ${JSON.stringify(answers)}`)
console.log(`dear ${JSON.stringify(dear)}`)
console.log(`growing ${JSON.stringify(growing)}`)
await web.stop()
process.exit(0)
