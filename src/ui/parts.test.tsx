import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { AskButton } from './buttons.tsx'
import { Chart } from './chart.tsx'
import { apart } from './chart-plot.tsx'
import { Conflict } from './conflict.tsx'
import { CheckControl, SelectControl } from './controls.tsx'
import { Frame, MailView } from './development.tsx'
import { ErrorSummary, Field } from './form.tsx'
import { History } from './history.tsx'
import { Count } from './list.tsx'
import { initialsOf } from './page.tsx'
import { Problem } from './problem.tsx'
import { LineMark } from './provenance.tsx'
import { ReaderProvider, readerOf } from './reader.tsx'
import { Decide, DescriptionList, FromHere, type Step } from './record.tsx'
import { StateLabel } from './state.tsx'
import { type Column, DataTable } from './table.tsx'

const text = (element: ReactElement) => renderToString(element).replaceAll('<!-- -->', '')
const said = (html: string) => html.replace(/<[^>]+>/g, '')
const line = { section: 4, line: 1088, file: 'loan-desk.md' }
const builder = readerOf({
  locale: 'en-GB',
  zone: 'UTC',
  provenance: true,
  document: '/_document',
})

test('a line mark is shown to those who see lines only, and its number is not grouped', () => {
  expect(text(<LineMark line={line} />)).toBe('')
  const shown = text(
    <ReaderProvider reader={builder}>
      <LineMark line={line} />
      <LineMark line={{ ...line, unspecified: true }} />
      <LineMark line={null} />
    </ReaderProvider>,
  )
  expect(shown).toContain(
    '<a class="src" href="/_document?file=loan-desk.md#L1088" title="loan-desk.md, line 1088">§4 line 1088</a>',
  )
  expect(shown).toContain('§4 line 1088, unspecified')
})

test('what leaves a question open is never called like what answers it', () => {
  const buttons = (confirm: string) => {
    const ask = { title: `${confirm} BK-1?`, consequence: 'Then it is Cancelled.', confirm }
    const html = text(
      <AskButton action="/" hidden={[]} ask={ask}>
        {confirm}
      </AskButton>,
    )
    return [...html.slice(html.indexOf('<p>')).matchAll(/<button[^>]*>([^<]*)/g)].map(([, label]) => label)
  }
  expect(buttons('Refuse')).toEqual(['Cancel', 'Refuse'])
  expect(buttons('Cancel')).toEqual(['Go back', 'Cancel'])
})

test('what people and documents write is text, never markup', () => {
  const evil = '<img src=x onerror=alert(1)>"\''
  const html = text(<StateLabel name={evil} ring={{ family: 'go', shape: 'part', part: 0.5 }} />)
  expect(html).not.toContain('<img')
  expect(text(<DescriptionList facts={[{ label: evil, value: evil }]} />)).not.toContain('<img')
})

test('state is ring and word: start dashed, part filled, ends with a mark', () => {
  expect(text(<StateLabel name="Draft" ring={{ family: 'mute', shape: 'start', part: 0 }} />)).toContain(
    'class="rr rs"',
  )
  expect(text(<StateLabel name="Half" ring={{ family: 'go', shape: 'part', part: 0.5 }} />)).toContain(
    'stroke-dasharray="5.18 20"',
  )
  expect(text(<StateLabel name="No" ring={{ family: 'bad', shape: 'cross', part: 1 }} />)).toContain('class="rm"')
})

test('a field joins label, hint, error and control, in this order', () => {
  const html = text(
    <Field id="due" label="Due back" hint="At most 14 days" error="This is 15" optional>
      {aid => <input {...aid} />}
    </Field>,
  )
  expect(html).toContain('<label for="due">Due back</label> <span class="req">(optional)')
  expect(html).toContain('<input id="due" aria-describedby="due-h due-e" aria-invalid="true"/>')
  const order = ['<label', 'id="due-h"', 'id="due-e"', '<input'].map(part => html.indexOf(part))
  expect(order).toEqual([...order].sort((a, b) => a - b))
  expect(said(html)).toContain('Error: This is 15')
})

test('a field without hint or error refers to nothing', () => {
  expect(
    text(
      <Field id="a" label="A">
        {aid => <input {...aid} />}
      </Field>,
    ),
  ).toContain('<input id="a"/>')
})

test('the summary takes the focus and links to each answer; without faults there is none', () => {
  expect(text(<ErrorSummary faults={[]} />)).toBe('')
  const html = text(
    <ErrorSummary
      faults={[
        { control: 'due', text: 'Too late' },
        { control: null, text: 'Not possible' },
        { control: null, text: 'Full', of: { title: 'LN-2', href: '/-/record?id=2' } },
        { control: null, text: 'Empty', of: { title: 'LN-3', href: null } },
      ]}
    />,
  )
  expect(html).toMatch(/^<div class="summary" role="alert" tabindex="-1" aria-labelledby="[^"]+" autofocus="">/)
  expect(html).toContain('<a href="#due">Too late</a>')
  expect(html).toContain('<strong>Not possible</strong>')
  expect(html).toContain('<strong>Full</strong> <a href="/-/record?id=2">LN-2</a>')
  expect(html).toContain('<strong>Empty</strong> LN-3')
})

test('a select keeps a value that is no longer offered', () => {
  const html = text(<SelectControl aid={{ id: 's' }} name="s" value="gone" options={[{ value: 'a', label: 'A' }]} />)
  expect(html).toContain('<option value="gone" selected="">gone</option>')
})

test('a box that is not ticked still posts its no', () => {
  const html = text(<CheckControl aid={{ id: 'c' }} name="c" value="no" text="Damaged" />)
  expect(html).toContain('type="hidden" name="c" value="no"')
  expect(html).not.toContain('checked')
})

const columns: readonly Column[] = [
  { key: 'n', label: 'Number', slot: 'title', priority: 1, sort: { href: '?sort=n', order: 'descending' } },
  { key: 'b', label: 'Borrower', priority: 3, sort: { href: '?sort=b', order: null } },
  { key: 'v', label: 'Value', slot: 'figure', numeric: true, priority: 1, sort: null },
]
const table = text(
  <DataTable
    caption="Loans, 1 in all"
    columns={columns}
    rows={[
      {
        id: '7',
        object: 'LN-7',
        href: '/loans/LN-7',
        cells: ['LN-7', 'Berta', '€1.00'],
        menu: [{ kind: 'link', label: 'Open', href: '/x' }],
      },
    ]}
    selectable
  />,
)

test('a table has a caption, scoped heads, its sorting and its rows’ names', () => {
  expect(table).toMatch(/<caption class="vh" id="[^"]+">Loans, 1 in all<\/caption>/)
  expect(table).toContain(
    '<th class="c-ttl" aria-sort="descending" role="columnheader" scope="col"><a href="?sort=n">Number',
  )
  expect(table.match(/aria-sort/g)).toHaveLength(1)
  expect(table).toContain('<th class="c-ttl" role="rowheader" scope="row"><a class="ttl" href="/loans/LN-7">LN-7</a>')
  expect(table).toContain('aria-label="Select LN-7"')
  expect(table).toContain('aria-label="Actions for LN-7"')
})

test('a column that gives way joins the title with its label', () => {
  expect(table).toContain('<small class="also"><span class="j3">Borrower Berta</span></small>')
})

test('a date says what it is where its column does not, and joins the title of a row that waits for somebody', () => {
  const due = { key: 'due', label: 'Due back', slot: 'note', priority: 2, sort: null } as const
  const row = (cell: string, mine = false) => {
    const cells = ['LN-7', 'Berta', '€1.00', cell]
    return text(
      <DataTable
        caption=""
        columns={[...columns, due]}
        rows={[{ id: '7', object: 'LN-7', href: null, mine, cells }]}
      />,
    )
  }
  expect(row('3 Mar')).toContain('<td class="c-due p2" role="cell"><i>Due back </i>3 Mar</td>')
  expect(row('')).toContain('<td class="c-due p2" role="cell"></td>')
  expect(row('3 Mar')).toContain('<span class="j2 jn">Due back 3 Mar</span>')
  expect(row('3 Mar', true)).toContain('<span class="j2">Due back 3 Mar</span>')
})

test('whose turn it is is a word in the state, else beside the title', () => {
  const state = { key: 's', label: 'State', slot: 'state', priority: 1, sort: null } as const
  const row = (of: readonly Column[], cells: readonly string[]) =>
    text(
      <DataTable
        caption=""
        columns={of}
        rows={[{ id: '7', object: 'LN-7', href: '/loans/LN-7', mine: true, cells }]}
      />,
    )
  const turn = '<span class="tag go noprint">Your turn</span>'
  expect(row([...columns, state], ['LN-7', 'Berta', '€1.00', 'Out'])).toContain(`<span class="stc">Out ${turn}</span>`)
  expect(row(columns, ['LN-7', 'Berta', '€1.00'])).toContain(
    `<span><a class="ttl" href="/loans/LN-7">LN-7</a> ${turn}</span>`,
  )
})

test('of many columns without room the first ones stand under the title', () => {
  const many = Array.from(
    { length: 9 },
    (_, at) => ({ key: `m${at}`, label: `M${at}`, priority: 6, sort: null }) as const,
  )
  const cells = ['LN-7', 'Berta', '€1.00', '', ...many.slice(1).map((_, at) => `${at}`)]
  const html = text(
    <DataTable caption="" columns={[...columns, ...many]} rows={[{ id: '7', object: 'LN-7', href: null, cells }]} />,
  )
  expect(html.match(/class="j6">\w+ \d/g)).toEqual([1, 2, 3, 4].map(at => `class="j6">M${at} ${at - 1}`))
})

test('a count beyond the bound says so and can be asked for exactly', () => {
  expect(said(text(<Count counted={1} more={false} />))).toBe('1 record')
  expect(said(text(<Count counted={1000} more exact="?exact" />))).toBe('1,000+ records Count exactly')
})

const step: Step = {
  label: 'Decline',
  object: 'LN-7',
  action: '/loans/7/decline',
  hidden: [{ name: 'csrf', value: 'x' }],
  ring: { family: 'bad', shape: 'cross', part: 1 },
}

test('a step is a form of its own; one that asks opens its question and posts from there', () => {
  expect(text(<Decide title="T" steps={[]} />)).toBe('')
  const html = text(<Decide title="T" steps={[step]} />)
  expect(html).toContain(
    '<form class="one" action="/loans/7/decline" method="post"><input type="hidden" name="csrf" value="x"/>',
  )
  expect(said(html)).toContain('Decline LN-7')
  const asked = text(
    <Decide
      title="T"
      steps={[
        { ...step, tone: 'bad', ask: { title: 'Decline LN-7?', consequence: 'Final.', confirm: 'Decline the loan' } },
      ]}
    />,
  )
  expect(asked.indexOf('popovertarget')).toBeLessThan(asked.indexOf('<form'))
  expect(asked).toContain('role="dialog"')
  // Cancel has the focus, not the step.
  expect(asked).toMatch(/popovertargetaction="hide" autofocus=""|autofocus="" popovertargetaction="hide"/i)
})

test('what cannot be done now is no button and says why', () => {
  const html = text(<FromHere open={[]} closed={[{ label: 'Hand out', reason: 'Only once Approved.' }]} />)
  expect(html).not.toContain('<button')
  expect(said(html)).toContain('Hand outOnly once Approved.')
})

test('a change says before and after, also to those who do not see the lines through it', () => {
  const html = text(
    <History
      items={[
        {
          id: '1',
          icon: 'pencil',
          who: 'Berta',
          what: 'changed 2 fields',
          when: { iso: '2026-03-01T08:10:00Z', text: '1 Mar' },
          changes: [
            { field: 'Due', before: '1 Mar', after: '2 Mar' },
            { field: 'Why', before: 'Fun', after: null },
          ],
        },
      ]}
    />,
  )
  expect(html).toMatch(/^<ol/)
  expect(html).toContain('<del>1 Mar</del> <span class="vh">became </span><ins>2 Mar</ins>')
  expect(html).toContain('<ins>empty</ins>')
  expect(html).toContain('<time dateTime="2026-03-01T08:10:00Z">1 Mar</time>')
})

test('a conflict shows both versions, each choice with its whole name', () => {
  const html = text(
    <Conflict
      app="Loan desk"
      who={null}
      when="at 14:02"
      moved={null}
      action="/x"
      hidden={[{ name: 'due', value: 'typed' }]}
      again="Pin"
      discard="/y"
      fields={[{ name: 'choice.due', label: 'Due', yours: '1', theirs: null, choice: 'theirs', both: false }]}
    />,
  )
  expect(html).toContain('<input type="hidden" name="due" value="typed"/>')
  expect(html).toContain('<input type="radio" name="choice.due" checked="" value="theirs"/>')
  expect(said(html)).toContain('Loan desk changed this at 14:02')
  expect(said(html)).toContain('You changed other answers than they did')
})

test.each([400, 403, 404, 409, 422, 429, 500, 502, 503])(
  'problem %d says what, why, what did not happen, code and reference',
  status => {
    const html = said(text(<Problem status={status} reference="01JD" />))
    expect(html.length).toBeGreaterThan(60)
    expect(html).toContain(`${status} · reference 01JD`)
  },
)

test('a status without words of its own is spoken of as its family', () => {
  expect(said(text(<Problem status={418} />))).toContain('could not be read')
  expect(said(text(<Problem status={507} />))).toContain('Something went wrong')
})

test('the words of the catalogue come first', () => {
  const html = said(
    text(
      <Problem
        status={422}
        what="You can borrow for at most 14 days."
        now="Choose an earlier date."
        code="E-DUE-2"
        notDone={null}
      />,
    ),
  )
  expect(html).toContain('You can borrow for at most 14 days.')
  expect(html).toContain('E-DUE-2')
  expect(html).not.toContain('Nothing was saved')
})

test('a frame marks what is meant, also at the end of a line', () => {
  expect(text(<Frame lines={[{ number: 7, text: 'abc', mark: { start: 1, end: 2 } }]} />)).toContain('a<mark>b</mark>c')
  expect(text(<Frame lines={[{ number: 7, text: 'abc', mark: { start: 3, end: 3 } }]} />)).toContain(
    'abc<mark> </mark>',
  )
})

test('links in a mail are links, the rest is text', () => {
  const html = text(
    <MailView
      mail={{
        from: 'a@example.org',
        to: ['b@example.org'],
        subject: 'S',
        sent: { iso: '2026-03-01T08:10:00Z', text: 'now' },
        text: '<b> http://h/1 and http://h/1 again',
        links: ['http://h/1'],
      }}
    />,
  )
  expect(html.match(/<a href="http:\/\/h\/1">/g)).toHaveLength(2)
  expect(html).toContain('&lt;b&gt;')
})

test('initials of any name', () => {
  expect(initialsOf('Cleo Marchetti')).toBe('CM')
  expect(initialsOf('  Cleo ')).toBe('C')
  expect(initialsOf('')).toBe('')
  expect(initialsOf('𝒜da Lovelace')).toBe('𝒜L')
})

test('a line in time leads through the periods, not to what has none, and names as many as a phone has room for', () => {
  const groups = ['Dec 2026', 'Jan 2027', 'Feb', 'Mar', 'Apr', 'none'].map((label, at) => ({
    label,
    short: label,
    values: [{ text: String(at + 1), size: at + 1 }],
    total: null,
    before: null,
    undated: label === 'none',
    running: label === 'Apr',
    href: null,
  }))
  const chart = {
    drawn: 'line',
    by: 'Month',
    overTime: true,
    series: ['Loans'],
    rest: false,
    whole: null,
    groups,
    aim: null,
    before: null,
    scale: String,
    highest: null,
    more: null,
  } as const
  const drawn = text(<Chart title="Loans" chart={chart} />)
  const [line = '', rest = '', alone] = [...drawn.matchAll(/<path class="l(?: so)?" d="([^"]*)"/g)].map(
    ([, path]) => path ?? '',
  )
  expect([line.match(/[ML]/g)?.length, rest.match(/[ML]/g)?.length]).toEqual([4, 2])
  expect(alone).toMatch(/^M[\d.]+,0H/)
  // What has no period is neither the last nor the highest.
  expect(said(drawn)).toContain('Last, Apr: 5.')
  const named = drawn.slice(drawn.indexOf('class="xa"'), drawn.indexOf('</figure>')).match(/(?<=>)[^<]+(?=<\/text>)/g)
  expect(named).toEqual(['Dec 2026', 'Feb', 'Apr'])
})

test('labels at the ends of lines stand apart, moved no further than they have to be, and stay inside', () => {
  expect(apart([10, 50, 90])).toEqual([10, 50, 90])
  expect(apart([40, 41, 42])).toEqual([40, 47, 54])
  expect(apart([97, 99])).toEqual([93, 100])
  expect(apart([])).toEqual([])
})
