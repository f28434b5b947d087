/** What forms in the browser know, and that they judge as the server does, message for message. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import type { FormView } from '../../kinds/screens/form/view-model.ts'
import { loanDesk, readSound } from '../../run/testing.ts'
import { checkForm } from '../../run/write/live.ts'
import { startTestWeb, type TestBrowser, type TestWeb } from '../testing.ts'

let web: TestWeb
let ben: TestBrowser
let dan: TestBrowser
/** Ids of items by their tag. */
let items: Readonly<Record<string, string>>

/** The loan desk with more kinds of rules, among them some that Borrowers must not hear of. */
const edited = (text: string): string =>
  text
    .replace(
      '| purpose | long text 500 | | |',
      '| purpose | long text 500 | | |\n| bags | integer | min 1; max 4 | |\n| alike | integer | = count(other Loan where bags = this.bags) | |',
    )
    .replace('| damaged | yes/no | default no | |', '| kind | text 80 | = item.category.name | |\n$&')
    .replace(
      '| V-4 |',
      '| V-5 | Loan | `bags <= 2 or total_value >= 10.00` | bags | TBD |\n| V-6 | Loan line | `item.value <= 9999.00` | item | E-DEAR |\n| V-4 |',
    )
    .replace(
      '\n| E-VAL-1 |',
      '\n| E-DEAR | {item.name} costs {item.value}, too much for {limits.max_items} days. | None. | 422 |\n| E-VAL-1 |',
    )

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), readSound(loanDesk, edited))
  ben = await web.browser('Ben')
  dan = await web.browser('Dan')
  const { store } = web.run.runtime
  await store.query(sql`update public.item set retired_on = '2026-02-01' where tag = 'LA-0007'`)
  const rows = await store.query<{ id: string; tag: string }>(sql`select id, tag from public.item`)
  items = Object.fromEntries(rows.map(({ id, tag }) => [tag, id]))
})

afterAll(() => web?.stop())

function islandOf(html: string): FormView {
  const [, json = ''] = /<script type="application\/json" id="form-data">([^<]*)<\/script>/.exec(html) ?? []
  return (JSON.parse(json) as { data: FormView }).data
}

test('a form tells nothing that its reader does not see: no field, no rule, no limit', async () => {
  const { text } = await ben.get('/loans/new')
  for (const secret of ['total_value', 'register_ref', 'max_value', '5000.00', 'clerk_damage_limit', 'V-5', 'bags <='])
    expect(text, secret).not.toContain(secret)
  const own = islandOf(text).live
  expect(own?.rules.map(({ name }) => name)).toEqual(['V-1', 'V-2', 'V-3', 'V-6'])
  expect(Object.keys(own?.limits ?? {}).sort()).toEqual(['max_items', 'max_loan_days'])
  const other = islandOf((await dan.get('/loans/new')).text).live
  expect(
    other?.rules.map(({ name }) => name),
    'a clerk sees the total',
  ).toContain('V-5')
  expect(other?.entities.loan?.fields.some(({ key }) => key === 'total_value')).toBe(true)
})

test('data cannot end the element that it stands in', async () => {
  const bad = '</script><script>alert(1)</script><!--'
  const { text } = await ben.send('/loans/new', { purpose: bad, lines: '' })
  expect(text).not.toContain('<script>alert')
  const part = islandOf(text).parts.find(one => one.kind === 'field' && one.field.key === 'purpose')
  expect(part?.kind === 'field' && part.field.value).toBe(bad)
})

const camera = { 'lines.0.item': 'CA-0001' }

test.each<[string, Readonly<Record<string, string>>]>([
  ['nothing at all', {}],
  ['no rows', { out_on: '2026-03-02', due_back: '2026-03-05' }],
  ['a day that is none', { due_back: 'tomorrow', ...camera }],
  ['back before it is out', { out_on: '2026-03-02', due_back: '2026-03-01', ...camera }],
  ['back the same day', { out_on: '2026-03-02', due_back: '2026-03-02', ...camera }],
  ['too long', { out_on: '2026-03-02', due_back: '2026-03-17', ...camera }],
  ['just not too long', { out_on: '2026-03-02', due_back: '2026-03-16', ...camera }],
  ['a retired item', { out_on: '2026-03-02', due_back: '2026-03-05', 'lines.0.item': 'LA-0007' }],
  ['the same item twice', { due_back: '2026-03-05', ...camera, 'lines.3.item': 'CA-0001' }],
  ['a row without its item', { due_back: '2026-03-05', 'lines.0.damaged': 'yes' }],
  ['a purpose that is too long', { due_back: '2026-03-05', ...camera, purpose: 'x'.repeat(501) }],
  ['a control character', { due_back: '2026-03-05', ...camera, purpose: 'a\u0007b' }],
  ['too few bags', { due_back: '2026-03-05', ...camera, bags: '0' }],
  ['too many bags', { due_back: '2026-03-05', ...camera, bags: '5' }],
  ['bags that are no number', { due_back: '2026-03-05', ...camera, bags: 'two' }],
  ['no borrower', { due_back: '2026-03-05', ...camera, borrower: '' }],
  ['several at once', { out_on: '2026-03-05', due_back: '2026-03-01', bags: '9', 'lines.0.item': 'LA-0007' }],
])('%s: the browser says what the server says', async (_, fields) => {
  for (const somebody of [ben, dan]) {
    const { live } = islandOf((await somebody.get('/loans/new')).text)
    const person = web.run.people[somebody === ben ? 'Ben' : 'Dan'] ?? ''
    const typed = Object.entries({ borrower: person, out_on: '2026-03-02', lines: '', ...fields }).map(
      ([name, text]) => [name, name.endsWith('.item') ? (items[text] ?? text) : text] as const,
    )
    const here = checkForm(live!, typed).problems.map(({ code, message, whatToDo }) => [code, message, whatToDo])
    const page = await somebody.send('/loans/new', typed)
    const there =
      page.status === 303
        ? []
        : islandOf(page.text).errors.map(({ code, message, whatToDo }) => [code, message, whatToDo])
    expect(new Set(here.map(one => JSON.stringify(one)))).toEqual(new Set(there.map(one => JSON.stringify(one))))
  }
})

test('what records say that the chosen one names is asked for, and told as far as it is seen', async () => {
  const [item, typed] = [items['CA-0001']!, [['lines.0.item', items['CA-0001']!]] as const]
  const { live, action } = islandOf((await dan.get('/loans/new')).text)
  expect([live!.leads, live!.levels]).toEqual([{ item: { category: 'category' }, category: {} }, 2])
  const kind = (related = live!.related) => checkForm({ ...live!, related }, typed).inRows['lines.0.kind']
  expect(kind()).toBe('not known')
  web.statements.length = 0
  const answer = JSON.parse((await dan.send(action, [...typed, ['_needed', 'yes']])).text)
  expect(web.statements.filter(text => text.includes('t.id as value')).length, 'one for each level').toBe(2)
  expect(Object.keys(answer.related)).toEqual(['item', 'category'])
  expect(Object.keys(answer.related.item)).toEqual([item])
  expect(kind(answer.related)).toBe('Cameras')
  // What is no item, or none that may be named, says nothing.
  const none = await dan.send(action, [
    ['lines.0.item', web.run.people.Ben!],
    ['_needed', 'yes'],
  ])
  expect(JSON.parse(none.text)).toMatchObject({ related: { item: {} } })
})

test('what the server alone can work out it works out of the form as it stands', async () => {
  const { live, action } = islandOf((await dan.get('/loans/new')).text)
  expect(live!.entities.loan!.fields.find(({ key }) => key === 'alike')?.later).toEqual(['bags'])
  const typed = [['bags', '3']] as const
  expect(checkForm(live!, typed).computed.alike).toBe('not known')
  const asked = async (bags: string) =>
    JSON.parse(
      (
        await dan.send(action, [
          ['bags', bags],
          ['_needed', 'yes'],
        ])
      ).text,
    ).worked
  await web.run.runtime.store.query(
    sql`update public.loan set bags = 3 where id = (select min(id::text)::uuid from public.loan)`,
  )
  expect([await asked('3'), await asked('2'), await asked('three')]).toEqual([{ alike: '1' }, { alike: '0' }, {}])
  expect(checkForm({ ...live!, worked: await asked('3') }, typed).computed.alike).toBe('1')
})

test('what is computed while typing is what is stored', async () => {
  const { live } = islandOf((await dan.get('/loans/new')).text)
  const typed = [
    ['borrower', web.run.people.Dan ?? ''],
    ['out_on', '2026-03-02'],
    ['due_back', '2026-03-09'],
    ['lines.0.item', items['CA-0001'] ?? ''],
    ['lines.5.item', ''],
  ] as const
  const { computed, rules } = checkForm(live!, typed)
  expect(computed).toEqual({ alike: 'not known', days: '7', total_value: '2400.00' })
  expect(rules).toMatchObject({ 'V-1': 'kept', 'V-2': 'kept' })
  const saved = await dan.send('/loans/new', typed)
  expect(saved.status).toBe(303)
  const shown = (await dan.get(saved.location ?? '')).text
  expect(shown).toContain('€2,400.00')

  const edit = islandOf((await dan.get('/loans/new')).text).live!
  expect(checkForm(edit, []).rules, 'nothing is typed: nothing can be said').toMatchObject({ 'V-1': 'open' })
})
