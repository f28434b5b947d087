/**
 * What must not be possible with `shop.md`, tried in a process of its own, so that a defence can be taken out of the sources before they
 * are loaded. Prints the names of those that were possible, as JSON. Started by `possible` in defences.db.test.ts.
 */
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import '../../scripts/tsx-hook.mjs'

process.env.NODE_ENV = 'production'
// After the loader of `.tsx` is in place.
const { raw } = await import('../../src/expression/sql.ts')
const { readSound } = await import('../../src/run/testing.ts')
const { fieldsOf, startTestWeb } = await import('../../src/web/testing.ts')

const signing = 'a key of both'
const web = await startTestWeb(process.env.DATABASE_URL!, readSound(join(import.meta.dirname, 'shop.md')), {
  variable: () => signing,
})
const { store } = web.run.runtime
const rows = <Row extends object>(text: string) => store.query<Row>(raw(text))
const [first, second] = Object.keys(web.run.people) as [string, string]
const clerk = await web.browser(first)
const items = new Map(
  (await rows<{ id: string; name: string }>('select id, name from item')).map(one => [one.name, one.id]),
)

const desks = new Map(
  (await rows<{ id: string; name: string }>('select id, name from desk')).map(one => [one.name, one.id]),
)
const [me, other] = [web.run.people[first]!, web.run.people[second]!]

async function made(entity: string, values: object): Promise<{ readonly status: number; readonly id: string }> {
  const { status, text } = await clerk.json('POST', `/api/v1/${entity}`, values)
  return { status, id: status === 201 ? JSON.parse(text).id : '' }
}

const order = (values: object = {}) => made('order', { ...values, lines: [{ item: items.get('Rope'), pieces: '1' }] })

/** The link that is shown to a visitor who has just sent the form, and the page of what was sent. */
async function report(what: string): Promise<{ readonly link: string; readonly page: string }> {
  const visitor = await web.browser(null)
  const form = fieldsOf((await visitor.get('/report')).text, '/report')
  const { text } = await visitor.post('/report', { ...form, what, email: 'ada@example.org' })
  const [row] = await rows<{ number: string }>(`select number from report where what = '${what}'`)
  return { link: /href="[^"]*(\/-\/case\?token=[\w-]{43})"/.exec(text)![1]!, page: `/my/${row!.number}` }
}

const line = (of: string, at: number) =>
  `insert into order_line (id, created_at, changed_at, "order", position, item, pieces)
   values (gen_random_uuid(), now(), now(), '${of}', ${at}, '${items.get('Rope')}', 2)`
const total = async (id: string) =>
  (await rows<{ total: string }>(`select _total::text as total from "order" where id = '${id}'`))[0]!.total
const isRefused = (text: string) =>
  rows(text).then(
    () => false,
    () => true,
  )

const claim = (values: object = {}) => ({ by: me, desk: desks.get('Front'), amount: '1', ...values })
const claimed = async (values: object = {}) => {
  const { status, id } = await made('claim', claim(values))
  if (status !== 201) throw new Error('Nothing can be claimed.')
  return `/api/v1/claim/${id}`
}
/** Without what is another one with each request. */
const toldOf = ({ status, text }: { status: number; text: string }) =>
  `${status} ${text.replace(/"request":"[^"]*"/, '')}`

/** Each gives whether what must not be possible was. */
const attempts: Readonly<Record<string, () => Promise<boolean>>> = {
  async 'a link shows another record'() {
    const own = await report('A hole')
    const other = await report('Another hole')
    const visitor = await web.browser(null)
    await visitor.get(own.link)
    if ((await visitor.get(own.page)).status !== 200) throw new Error('The link does not open its own record.')
    return (await visitor.get(other.page)).status === 200
  },
  async 'a link opens after its end'() {
    const { link, page } = await report('A third hole')
    await rows('update ninefold.case_link set ends_at = created_at')
    const visitor = await web.browser(null)
    await visitor.get(link)
    return (await visitor.get(page)).status === 200
  },
  async 'what is append only is changed'() {
    const { id } = await made('note', { text: 'Once' })
    return !(await isRefused(`update note set text = 'Twice' where id = '${id}'`))
  },
  async 'what is append only is deleted'() {
    const { id } = await made('note', { text: 'Here' })
    return !(await isRefused(`delete from note where id = '${id}'`))
  },
  async 'a sum is not that of its rows'() {
    const { id } = await order()
    await rows(`update order_line set pieces = 7 where "order" = '${id}'`)
    return (await total(id)) !== '7'
  },
  async 'a sum loses what is added at the same moment'() {
    const { id } = await order()
    const slower = await store.inTransaction(async tx => {
      await tx.query(raw(line(id, 2)))
      const waiting = rows(line(id, 3))
      while (
        (await rows("select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"))
          .length === 0
      )
        await new Promise(after => setTimeout(after, 20))
      return { waiting }
    })
    await slower.waiting
    return (await total(id)) !== '5'
  },
  async 'a percentage is kept as it is typed'() {
    const { id } = await order()
    const edit = `/orders/${JSON.parse((await clerk.get(`/api/v1/order/${id}`)).text).number}/edit`
    await clerk.submit(edit, edit, { ...fieldsOf((await clerk.get(edit)).text, edit), discount: '19' })
    const [row] = await rows<{ discount: string }>(
      `select discount::float::text as discount from "order" where id = '${id}'`,
    )
    return row!.discount !== '0.19'
  },
  async 'a percentage has more decimals than are shown'() {
    const { id } = await order()
    return !(await isRefused(`update "order" set discount = 0.12345678901 where id = '${id}'`))
  },
  async 'a bound that searches other records is passed'() {
    const first = await made('booking', { item: items.get('Tent'), pieces: '2' })
    if (first.status !== 201) throw new Error('What fits is not taken.')
    return (await made('booking', { item: items.get('Tent'), pieces: '2' })).status === 201
  },
  async 'a row keeps what its record does not offer any more'() {
    const { id } = await made('order', { large: true, lines: [{ item: items.get('Tent'), pieces: '1' }] })
    return (await clerk.json('PATCH', `/api/v1/order/${id}`, { large: false })).status === 200
  },
  async 'a refused record tells what a closed field holds'() {
    const told = async (amount: string) =>
      toldOf(await clerk.json('POST', '/api/v1/claim', claim({ by: other, amount })))
    return (await told('1')) !== (await told('101'))
  },
  async 'a change leads out of what may be changed'() {
    return (await clerk.json('PATCH', await claimed(), { by: other })).status === 200
  },
  async 'a repeat is told of what has become of it'() {
    const send = () => clerk.json('POST', '/api/v1/claim', claim({ amount: '7' }), { 'idempotency-key': 'seven' })
    const sent = await send()
    await clerk.request('DELETE', sent.headers.get('location')!)
    return (await send()).text !== sent.text
  },
  async 'the tag stays where the answer is another one'() {
    const path = await claimed()
    const tag = (await clerk.get(path)).headers.get('etag')!
    await rows("update desk set name = name || '!' where name = 'Front'")
    return (await clerk.get(path, { 'if-none-match': tag })).status === 304
  },
  async 'a reference tells which record it names'() {
    const path = await claimed()
    await rows(`update claim set beside = '${desks.get('Vault')}' where id = '${path.split('/').at(-1)}'`)
    return (await clerk.get(path)).text.includes(desks.get('Vault')!)
  },
  async 'the id of what is not seen is known by what becomes of a change'() {
    const path = await claimed()
    await rows(`update claim set beside = '${desks.get('Vault')}' where id = '${path.split('/').at(-1)}'`)
    return (await clerk.json('PATCH', path, { beside: desks.get('Vault') })).status !== 422
  },
  async 'a signed message is taken twice'() {
    const seconds = web.run.now.getTime() / 1000
    const body = JSON.stringify({ name: 'Rope', stock: 9 })
    const digest = createHmac('sha256', signing).update(`${seconds}.${body}`).digest('hex')
    const headers = { 'content-type': 'application/json', 'ninefold-signature': `t=${seconds},v1=${digest}` }
    const send = async (key: string) => {
      const { status } = await web
        .browser(null)
        .then(program =>
          program.request('POST', '/api/v1/-/counted', { headers: { ...headers, 'idempotency-key': key }, body }),
        )
      if (status !== 200) throw new Error(`The message was answered with ${status}.`)
    }
    const version = async () =>
      (await rows<{ version: string }>("select version from item where name = 'Rope'"))[0]!.version
    await send('one')
    const before = await version()
    await rows("update item set stock = 4 where name = 'Rope'")
    await send('two')
    return (await version()) !== before
  },
  async 'who is kept out goes on'() {
    const gone = await web.browser(second)
    const before = (await gone.get('/orders')).status
    if (before !== 200) throw new Error('Nobody is in.')
    await rows(`update person set left_on = '2020-01-01' where id = '${web.run.people[second]}'`)
    return (await gone.get('/orders')).status === 200
  },
  async 'who is kept out signs in'() {
    await rows(`update person set left_on = '2020-01-01' where id = '${web.run.people[second]}'`)
    const before = await rows('select from ninefold.session')
    await web.browser(second).catch(() => null)
    return (await rows('select from ninefold.session')).length > before.length
  },
}

const possible: string[] = []
for (const [name, attempt] of Object.entries(attempts)) if (await attempt()) possible.push(name)
await web.stop()
process.stdout.write(`${JSON.stringify(possible)}\n`)
