/** From the bytes of a workbook to records in a served application. */
import { writeXlsx } from 'hucre/xlsx'
import { expect, inject, test } from 'vitest'
import { sql } from '../../expression/sql.ts'
import { readApp } from '../../headings/index.ts'
import { seed } from '../../run/many/seed.ts'
import { startTestRun } from '../../run/testing.ts'
import { readTables } from '../../web/tables.ts'
import { importSheets } from './import.ts'

const day = (text: string) => new Date(`${text}T00:00:00Z`)

test('all rows of a workbook are in the application, with their states and whom they refer to', async () => {
  const bytes = await writeXlsx({
    sheets: [
      {
        name: 'Orders',
        rows: [
          ['Order no', 'Customer', 'Placed', 'Total €', 'Status'],
          ['O-1', 'Ann', day('2026-10-01'), 12.5, 'Open'],
          ['O-2', 'Bob', day('2026-10-02'), 1200, 'Shipped'],
          ['O-3', 'Ann', day('2026-10-03'), 7, 'Shipped'],
          ['O-4', 'Ann', day('2026-10-04'), 0.99, 'Open'],
          ['O-5', 'Cid', day('2026-10-05'), 3, '#N/A'],
        ],
      },
      {
        name: 'Customers',
        rows: [
          ['Name', 'Boss'],
          ['Ann', 'Bob'],
          ['Bob', null],
          ['Cid', 'Ann'],
          ['Dan', 'Cid'],
        ],
      },
      { name: 'Aside', rows: [['What'], ['x'], ['y']], hidden: true },
    ],
  })
  const tables = await readTables(Buffer.from(bytes), 'shop')
  const sheets = tables.flatMap(({ name, table }) => (typeof table === 'string' ? [] : [{ name, ...table }]))
  const { files, notes } = importSheets(sheets, 'shop.xlsx')
  expect(notes).toEqual(['Orders!E6: #N/A is an error of the spreadsheet: left out'])
  const load = (path: string) => files.find(file => file.path === path)?.text ?? null
  const { app } = readApp('app.md', load, { version: () => 'imported' })
  const run = await startTestRun(inject('databaseUrl'), app!, null, { files: true })
  try {
    const { problems } = await seed(run.runtime, run.door(), { files: true })
    expect(problems).toEqual([])
    expect(
      await run.runtime.store.query(
        sql`select order_no, c.name, placed::text, total::text, o.state from "order" as o join customer as c on c.id = o.customer order by order_no`,
      ),
    ).toEqual([
      { order_no: 'O-1', name: 'Ann', placed: '2026-10-01', total: '12.50', state: 'Open' },
      { order_no: 'O-2', name: 'Bob', placed: '2026-10-02', total: '1200.00', state: 'Shipped' },
      { order_no: 'O-3', name: 'Ann', placed: '2026-10-03', total: '7.00', state: 'Shipped' },
      { order_no: 'O-4', name: 'Ann', placed: '2026-10-04', total: '0.99', state: 'Open' },
      { order_no: 'O-5', name: 'Cid', placed: '2026-10-05', total: '3.00', state: 'Open' },
    ])
    expect(
      await run.runtime.store.query(
        sql`select c.name, b.name as boss from customer as c join customer as b on b.id = c.boss order by c.name`,
      ),
    ).toEqual([
      { name: 'Ann', boss: 'Bob' },
      { name: 'Cid', boss: 'Ann' },
      { name: 'Dan', boss: 'Cid' },
    ])
  } finally {
    await run.drop()
  }
})
