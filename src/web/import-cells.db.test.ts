/** What cells of a file mean, and which record a row is about. */
import { join } from 'node:path'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { sql } from '../expression/sql.ts'
import { greatBritain } from '../kinds/fields/dates.ts'
import { workJobs } from '../run/many/work-jobs.ts'
import { readSound } from '../run/testing.ts'
import { readAnyTable } from './large-tables.ts'
import type { TableWish } from './tables.ts'
import { type ImportDesk, rowOf, startImports } from './testing-import.ts'
import { unpackedBytes } from './workbooks.ts'

let web: ImportDesk['web']
let keeper: ImportDesk['keeper']
let tools: ImportDesk['tools']
let clear: ImportDesk['clear']
let upload: ImportDesk['upload']
let tried: ImportDesk['tried']

beforeAll(async () => {
  ;({ web, keeper, tools, clear, upload, tried } = await startImports(inject('databaseUrl')))
})
afterAll(() => web?.stop())

test('how figures are written is seen in the file; where that says nothing, they are its reader’s', async () => {
  await clear()
  const chosen = async (content: string) => {
    const { location } = await upload(keeper, content)
    return /id="written".*?value="([^"]+)" selected/s.exec((await keeper.get(location!)).text)?.[1]
  }
  expect(await chosen('Code;Name;Kind;Price\nG-1;Säge;Saw;12,50\nG-2;Säge;Saw;x\n')).toBe('de-DE')
  expect(await chosen('Code,Name,Kind,Price\nG-1,1,Saw,12.50\n')).toBe('en-GB')
  expect(await chosen('Code;Name;Kind\nG-1;"12,50";Saw\n')).toBe('en-GB')
  expect(await chosen('Code;Name;Kind;Bought\nG-1;1;Saw;31.1.2026\n')).toBe('en-GB')
})

test('what Excel knows to be a figure, a date or yes/no is read as such, in whatever language', async () => {
  const workbook = await writeXlsx({
    sheets: [
      {
        name: 'Tools',
        rows: [
          ['Code', 'Name', 'Kind', 'Price', 'Count', 'Bought', 'Electric'],
          ['D-1', '=1+1', 'Saw', 1.5, 3, new Date('2026-02-28T00:00:00.000Z'), true],
        ],
      },
    ],
  })
  const job = await tried(Buffer.from(workbook), { written: 'de-DE' })
  expect(rowOf((await keeper.get(job)).text, 2)).toContain('|D-1|=1+1|Saw|1.5|3|28 Feb 2026|TRUE|')
  await keeper.submit(job, job, { do: 'apply' })
  expect(await tools()).toMatchObject([
    { code: 'D-1', name: '=1+1', price: '1.50', count: '3', bought: '2026-02-28', electric: true },
  ])
  const german = await tried('Code;Name;Kind;Price\nD-2;Säge;Saw;"1.234,50"\n', { written: 'de-DE' })
  await keeper.submit(german, german, { do: 'apply' })
  expect((await tools())[1]).toMatchObject({ name: 'Säge', price: '1234.50' })
  await clear()
})

test('a percentage comes in as what it says, from Excel too, and goes out so that it comes in again', async () => {
  const percent = { style: { numFmt: '0.0%' } }
  const workbook = await writeXlsx({
    sheets: [
      {
        name: 'Tools',
        rows: [
          ['Code', 'Name', 'Kind', 'Price', 'Discount', 'Count'],
          ['P-1', 'Plane', 'Saw', 1, 0.19, 1],
          ['P-2', 'File', 'Saw', 1, 5, 1],
          ['P-3', 'Adze', 'Saw', 1, '7,5 %', 1],
          ['P-4', 'Axe', 'Saw', -1, 0.075, 1],
        ],
        cells: new Map([
          ['1,4', percent],
          ['4,4', percent],
        ]),
      },
    ],
  })
  const job = await tried(Buffer.from(workbook), { written: 'de-DE' })
  const excel = async (path: string) => {
    const answer = await fetch(`${web.url}${path}&_export=xlsx`, {
      headers: { cookie: [...keeper.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    return readXlsx(new Uint8Array(await answer.arrayBuffer()), { readStyles: true })
  }
  expect((await excel(job)).sheets[0]?.rows[1]?.slice(0, 5)).toEqual(['P-4', 'Axe', 'Saw', -1, '7.5%'])
  await keeper.submit(job, job, { do: 'apply' })
  const held = () => web.run.runtime.store.query(sql`select code, discount from tool order by code`)
  const three = [
    { code: 'P-1', discount: '0.19' },
    { code: 'P-2', discount: '0.05' },
    { code: 'P-3', discount: '0.075' },
  ]
  expect(await held()).toEqual(three)
  const [sheet] = (await excel('/tools?_columns=code,name,kind,price,discount')).sheets
  const at = sheet!.rows[0]!.indexOf('Discount')
  expect([sheet!.rows[1]![at], sheet!.cells?.get(`1,${at}`)?.style?.numFmt]).toEqual([0.19, '0.00%'])
  const csv = (await keeper.get('/tools?_columns=code,name,kind,price,discount&_export=csv')).text
  expect(csv).toContain('7.5%')
  await clear()
  const again = await tried(csv)
  await keeper.submit(again, again, { do: 'apply' })
  expect(await held()).toEqual(three)

  const list = async (path: string) => (await keeper.get(path)).text
  expect(await list('/tools?discount=19')).toMatch(/19%(?!.*P-2)/s)
  const found = async (filter: string) =>
    JSON.parse(await list(`/api/v1/tool?${filter}`)).data.map(({ code, discount }: Record<string, string>) => [
      code,
      discount,
    ])
  expect(await found('discount=0.19')).toEqual([['P-1', '0.19']])
  expect(await found('discount.at-most=7.5%25&sort=-discount')).toEqual([
    ['P-3', '0.075'],
    ['P-2', '0.05'],
  ])
  await clear()
})

test('moments go out as spreadsheets read them, in the zone of the application, and change nothing when they come in again', async () => {
  const moments = {
    'M-0': '2026-03-02T13:05:06.123Z',
    'M-1': '2026-07-01T22:00:00.000Z',
    'M-2': '2026-07-01T22:00:00.999Z',
    // The clocks of Berlin show half past two twice.
    'M-3': '2026-10-25T00:30:15.000Z',
    'M-4': '2026-10-25T01:30:15.250Z',
  }
  const lines = Object.entries(moments).map(([code, at]) => `${code},Plane,Saw,1,${at}`)
  const made = await tried(`Code,Name,Kind,Price,Serviced\n${lines.join('\n')}\n`)
  await keeper.submit(made, made, { do: 'apply' })
  const held = async () => {
    const rows = await web.run.runtime.store.query<{ code: string; serviced: string }>(
      sql`select code, serviced from tool order by code`,
    )
    return Object.fromEntries(rows.map(({ code, serviced }) => [code, new Date(serviced).toISOString()]))
  }
  expect(await held()).toEqual(moments)
  const far = sql`insert into ninefold.preference (person, time_zone, changed_at) values (${web.run.people.Kira}::uuid, 'Asia/Tokyo', ${web.run.now})`
  await web.run.runtime.store.inTransaction(tx => tx.write(far))
  const csv = (await keeper.get('/tools?_columns=code,serviced&_sort=code&_export=csv')).text
  expect(csv.split('\r\n').slice(1)).toEqual([
    'M-0,2026-03-02 14:05:06',
    'M-1,2026-07-02 00:00:00',
    'M-2,2026-07-02 00:00:00',
    'M-3,2026-10-25 02:30:15',
    'M-4,2026-10-25T01:30:15Z',
  ])
  const workbook = await fetch(`${web.url}/tools?_columns=code,serviced&_sort=code&_export=xlsx`, {
    headers: { cookie: [...keeper.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  })
  const bytes = Buffer.from(await workbook.arrayBuffer())
  const [sheet] = (await readXlsx(bytes, { readStyles: true })).sheets
  expect(sheet!.cells?.get('1,1')?.style?.numFmt, 'its time is shown').toBe('yyyy-mm-dd hh:mm:ss')
  expect(sheet!.columns?.[1]?.width, 'and has room').toBe(20)
  // What a spreadsheet leaves of it, too.
  const short = csv.replaceAll(/ (\d\d:\d\d):\d\d/g, ' $1')
  for (const file of [csv, short, bytes]) {
    const again = await tried(file)
    const { text } = await keeper.get(again)
    expect(/[^>]*would change nothing[^<]*/.exec(text)?.[0], rowOf(text, 2)).toContain('0 rows are right, 5 would')
  }
  const changed = await tried(csv.replace('14:05:06', '14:05:07').replace('02 00:00:00', '02 00:00:00.500'))
  await keeper.submit(changed, changed, { do: 'apply' })
  expect(await held()).toEqual({
    ...moments,
    'M-0': '2026-03-02T13:05:07.000Z',
    'M-1': '2026-07-01T22:00:00.500Z',
  })
  await web.run.runtime.store.inTransaction(tx => tx.write(sql`delete from ninefold.preference`))
  await clear()
})

test('days are read in the order that is said, and not guessed where none is', async () => {
  const days = async (written: string) => {
    const job = await tried('Code,Name,Kind,Price,Bought\nG-1,Plane,Saw,1,01/11/2026\n', { written })
    const said = rowOf((await keeper.get(job)).text, 2)
    await keeper.send(job, { do: 'apply' })
    const [tool] = await tools()
    await clear()
    return tool?.bought ?? said
  }
  expect(await days('en-GB')).toContain('Bought can mean 2026-11-01 or 2026-01-11.')
  expect([await days(greatBritain), await days('en-US')]).toEqual(['2026-11-01', '2026-01-11'])
})

test('numbers may have the sign of the only currency of the application', async () => {
  const job = await tried(
    'Code,Name,Kind,Price,Rate\nH-1,Plane,Saw,1,"€1,250.1234"\nH-2,Plane,Saw,1,$1\nH-3,Plane,Saw,1,€\n',
  )
  const { text } = await keeper.get(job)
  expect([2, 3, 4].map(at => /Rate must be/.test(rowOf(text, at)))).toEqual([false, true, true])
  await keeper.submit(job, job, { do: 'apply' })
  const [tool] = await web.run.runtime.store.query(sql`select rate from public.tool where code = 'H-1'`)
  expect(tool).toEqual({ rate: '1250.1234' })
  await clear()
})

test('a code that is unique within something finds its record where only one fits', async () => {
  await web.run.runtime.store.query(sql`insert into public.kind (id, version, created_at, changed_at, name, since, tag)
    select gen_random_uuid(), 1, now(), now(), name, since::date, tag from (values
      ('Plane', '2020-01-01', 'P'), ('Press', '2021-01-01', 'P'), ('Rasp', '2021-01-01', 'R')) as new (name, since, tag)`)
  const { text } = await keeper.get(await tried('Code,Name,Kind\nI-1,One,R\nI-2,Two,P\n'))
  expect(rowOf(text, 2)).not.toContain('Kind')
  expect(rowOf(text, 3)).toContain('More than one record is called P.')
})

test('a file that is no table is said to be none', async () => {
  const wish: TableWish = { names: [], locale: 'en', sheet: null, heading: null }
  const of = (text: string) => readAnyTable(Buffer.from(text, 'latin1'), wish)
  expect(await of('')).toBe('fileEmpty')
  expect(await of('code,name\n')).toBe('fileEmpty')
  expect(await of('\x00\x01\x02')).toBe('fileUnreadable')
  expect(await of('PK\x03\x04 and nothing more')).toBe('fileUnreadable')
  expect(await of(`a\n${'1\n'.repeat(50_001)}`)).toBe('fileTooLong')
  expect(await of(`${'a,'.repeat(300)}a\n1\n`)).toBe('fileTooWide')
  expect(await of('name\nS\xe4ge\n')).toMatchObject({ rows: [{ number: 2, cells: ['Säge'] }] })
  expect(await of(`a\n${'x'.repeat(10_001)}`)).toBe('fileCellTooLong')
  const refused = await upload(keeper, 'code,name\n')
  expect([refused.status, refused.text.includes('There is no row below the row of headings')]).toEqual([422, true])
  // Read to its very end, however large; what is larger still is refused.
  const long = await upload(keeper, `name\n${`${'x'.repeat(9_999)}\n`.repeat(1_050)}${'x'.repeat(10_001)}`)
  expect([long.status, long.text.includes('A cell of the file is longer than')]).toEqual([422, true])
  expect((await upload(keeper, Buffer.alloc(12_000_000, 'x'))).status).toBe(413)
  const workbook = Buffer.from(await writeXlsx({ sheets: [{ name: 'A', rows: [['a'], ['b']] }] }))
  expect(unpackedBytes(workbook)).toBeGreaterThan(500)
  // One that says that it unpacks to a gigabyte is not unpacked.
  const at = workbook.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
  workbook.writeUInt32LE(1_000_000_000, at + 24)
  expect(await readAnyTable(workbook, wish)).toBe('fileUnreadable')
})

test('records are recognised by what is unique together: brought in again nothing changes, and what is new does', async () => {
  const within = readSound(join(import.meta.dirname, 'fixtures/shed.md'), text =>
    text.replace('| required; searchable |', '| required; searchable; unique within kind, bought |'),
  )
  await web.web.reload({ ...web.served, runtime: { ...web.served.runtime, app: within } })
  const bring = async (lines: readonly string[]) => {
    const job = await tried(['Code,Name,Kind,Bought,Price', ...lines].join('\n'), { key: 'kind bought name' })
    return { job, text: (await keeper.get(job)).text }
  }
  try {
    const lines = ['T-1,Plane,Saw,2026-01-31,1', 'T-2,Plane,Drill,2026-01-31,1', 'T-3,Plane,Saw,2026-02-01,1']
    const first = await bring(lines)
    expect(first.text).toContain('value="kind bought name"')
    expect(first.text).toContain('3 rows are right, 0 would change nothing, 0 have something wrong.')
    await keeper.submit(first.job, first.job, { do: 'apply' })
    expect(await tools()).toHaveLength(3)
    const again = await bring([
      ...lines,
      'T-4,Plane,Saw,2026-03-01,1',
      'T-5,Plane,Saw,,1',
      'T-6,Plane,Nothing,2026-03-01,1',
      'T-7,Plane,Saw,2026-01-31,2',
    ])
    expect(again.text).toContain('1 row is right, 3 would change nothing, 3 have something wrong.')
    expect(rowOf(again.text, 6)).toContain('Bought is empty, so it is unclear which record this row is about.')
    expect(rowOf(again.text, 7)).toContain('Kind')
    expect(rowOf(again.text, 8)).toContain('Row 2 of the file is about the same record.')
    const dearer = await bring(['T-3,Plane,Saw,2026-02-01,9'])
    await keeper.submit(dearer.job, dearer.job, { do: 'apply' })
    const prices = (await tools()).map(({ price, version }) => `${price} ${version}`)
    expect(prices.sort()).toEqual(['1.00 1', '1.00 1', '9.00 2'])
    // Chosen by itself where nothing else tells them apart.
    const page = await upload(keeper, 'Name,Kind,Bought,Price,Count\nPlane,Saw,2026-02-01,9,1\n')
    expect((await keeper.get(page.location!)).text).toMatch(/value="kind bought name" selected/)
  } finally {
    await clear()
    await web.web.reload(web.served)
  }
})

test('the trial sees what stands twice in one file, and lets the first of it pass, as writing does', async () => {
  const within = readSound(join(import.meta.dirname, 'fixtures/shed.md'), text =>
    text.replace('| required; searchable |', '| required; searchable; unique within kind, bought |'),
  )
  await web.web.reload({ ...web.served, runtime: { ...web.served.runtime, app: within } })
  try {
    const heading = 'Code,Name,Kind,Bought,Price\n'
    const lines = [
      'T-1,Plane,Saw,2026-01-31,1',
      // The same code; the same name, kind and day; both.
      'T-1,Auger,Saw,2026-01-31,1',
      'T-2,Plane,Saw,2026-01-31,1',
      'T-1,Plane,Saw,2026-01-31,1',
      // What a refused row has is free; so is a name of which one part is another, or is missing.
      'T-2,Auger,Saw,2026-01-31,1',
      'T-3,Plane,Drill,2026-01-31,1',
      'T-4,Plane,Saw,,1',
      'T-5,Plane,Saw,,1',
    ]
    const job = await tried(heading + lines.join('\n'), { key: '' })
    const { text } = await keeper.get(job)
    expect(text).toContain('5 rows are right, 0 would change nothing, 3 have something wrong.')
    expect([3, 4, 5].map(number => rowOf(text, number).replaceAll('|', ' '))).toEqual([
      expect.stringContaining('Code is taken'),
      expect.stringContaining('Kind, Bought, and Name'),
      expect.stringMatching(/Code is taken.*Kind, Bought, and Name/),
    ])
    expect(await tools()).toEqual([])
    await keeper.submit(job, job, { do: 'apply' })
    expect((await keeper.get(job)).text).toContain('5 rows done, 0 refused')
    expect(await tools()).toHaveLength(5)
    // Over several rounds of work, too.
    await clear()
    const many = Array.from({ length: 60 }, (_, at) => `L-${at % 59},Plane ${at},Saw,,1`)
    const long = await tried(heading + many.join('\n'), { key: '' })
    const worker = { worker: 'w', limit: 25 }
    while ((await workJobs({ ...web.run.runtime, app: within }, web.run.door(), worker)) > 0);
    expect((await keeper.get(long)).text).toContain('59 rows are right, 0 would change nothing, 1 has something wrong.')
    expect(rowOf((await keeper.get(long)).text, 61)).toContain('Code is taken')
    // Time that an earlier row takes, too: of the same kind, and not where they only touch.
    await clear()
    const apart = readSound(join(import.meta.dirname, 'fixtures/shed.md'), text =>
      text.replace(
        /(\| kind \|[^|]*\|)[^|]*\|/,
        '$1 required; no overlap of bought through bought with 1 day between |',
      ),
    )
    await web.web.reload({ ...web.served, runtime: { ...web.served.runtime, app: apart } })
    const days = ['Saw,2026-01-01', 'Saw,2026-01-02', 'Drill,2026-01-02', 'Saw,2026-01-03', 'Saw,2026-01-04', 'Saw,']
    const dated = await tried(heading + days.map((day, at) => `T-${at},Plane,${day},1`).join('\n'), { key: '' })
    const told = (await keeper.get(dated)).text
    expect(told).toContain('4 rows are right, 0 would change nothing, 2 have something wrong.')
    expect([rowOf(told, 3), rowOf(told, 6)].map(one => one.includes('is taken at that time'))).toEqual([true, true])
  } finally {
    await clear()
    await web.web.reload(web.served)
  }
})
