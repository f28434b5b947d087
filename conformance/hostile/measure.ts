/**
 * What `notes.md` costs per letter of what is sent to it: each input in three lengths, each four times the one before, sent and then shown
 * wherever it is shown. Prints those whose processor time grows faster than their length, as JSON. A process of its own, so that a defence
 * can be taken out of the sources before they are loaded; it counts its own processor time, with that of the client in it.
 */
import { join } from 'node:path'
import '../../scripts/tsx-hook.mjs'

process.env.NODE_ENV = 'production'
// After the loader of `.tsx` is in place.
const { readSound } = await import('../../src/run/testing.ts')
const { fieldsOf, multipart, startTestWeb } = await import('../../src/web/testing.ts')

const web = await startTestWeb(process.env.DATABASE_URL!, readSound(join(import.meta.dirname, 'notes.md')))
const reader = await web.browser(Object.keys(web.run.people)[0]!)
const visitor = await web.browser(null)

/** Letters of the shortest. */
const shortest = 6_000
/** Four times the length may take so many times the time; what grows with the square takes sixteen. */
const most = 8
/** Milliseconds that say nothing yet. */
const little = 60

/** What is repeated, in texts. */
const units = ['*a_', '> a\n\n', '[', '](', '`a``', '<?', '- ', '=\n', '\u0315\u0300', ' a', '\n', '\u200d', '0', ',']

const repeated = (unit: string, letters: number) => `a${unit.repeat(letters / unit.length)}b`

/** A text is stored and then shown: the record with its history, the list, the search, on paper, taken out, by the API. */
async function shown(text: string): Promise<void> {
  const { status, text: body } = await reader.json('POST', '/api/v1/note', { text })
  if (status !== 201) return
  const { id, number } = JSON.parse(body)
  await reader.json('PATCH', `/api/v1/note/${id}`, { text: `${text}c` })
  const places = [`/notes/${number}`, `/notes/${number}/edit`, `/notes/${number}/paper`, `/notes?number=${number}`]
  for (const place of [...places, `/notes?number=${number}&_export=csv`, `/api/v1/note/${id}`, `/-/search?q=${number}`])
    await reader.get(place)
}

async function sent(fields: Readonly<Record<string, string>>): Promise<void> {
  const form = fieldsOf((await visitor.get('/send')).text, '/send')
  await visitor.post('/send', { ...form, ...fields })
}

const inputs: Readonly<Record<string, (letters: number) => Promise<unknown>>> = {
  ...Object.fromEntries(units.map(unit => [`shown ${JSON.stringify(unit)}`, n => shown(repeated(unit, n))])),
  ...Object.fromEntries(units.map(unit => [`sent ${JSON.stringify(unit)}`, n => sent({ title: repeated(unit, n) })])),
  'long numbers in JSON': n => reader.request('POST', '/api/v1/note', jsonOf(`{"amount":0.${'0'.repeat(2 * n)}1}`)),
  'names in JSON': n => reader.request('POST', '/api/v1/note', jsonOf(`{${'"a":1,'.repeat(n / 6)}"b":1}`)),
  'brackets in JSON': n => reader.request('POST', '/api/v1/note', jsonOf('['.repeat(10 * n))),
  'names in forms': n => sent(Object.fromEntries(Array.from({ length: n / 60 }, (_, at) => [`name ${at}`, 'x']))),
  'empty parts of forms': n => {
    const { headers } = multipart([])
    return visitor.request('POST', '/send', { headers, body: Buffer.from('------ninefold\r\n\r\n\r\n'.repeat(2 * n)) })
  },
  'filters in addresses': n => reader.get(`/notes?${'title=a&'.repeat(n / 60)}`),
  'words in addresses': n => reader.get(`/notes?q=${'a+'.repeat(n / 15)}`),
  'tags in heads': n => reader.get('/notes', { 'if-none-match': '"a",'.repeat(n / 30) }),
  'languages in heads': n => visitor.get('/send', { 'accept-language': 'de;q=0.5,'.repeat(n / 70) }),
}

function jsonOf(body: string) {
  return { headers: { 'content-type': 'application/json' }, body: Buffer.from(body) }
}

/** The least of two tries: others on the machine only add to it. */
async function milliseconds(input: (letters: number) => Promise<unknown>, letters: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 2 && (tries === 0 || least > little); tries++) {
    const before = process.cpuUsage()
    await input(letters)
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

const growing: string[] = []
for (const [name, input] of Object.entries(inputs)) {
  await input(shortest)
  let last = await milliseconds(input, shortest)
  for (const times of [4, 16]) {
    const next = await milliseconds(input, times * shortest)
    if (next > little && next > most * Math.max(last, little / 4)) {
      growing.push(name)
      break
    }
    last = next
  }
}
console.log(`growing ${JSON.stringify(growing)}`)
await web.stop()
process.exit(0)
