/**
 * The hand-written floor that Ninefold is measured against: node:http, `pg`, hand-written SQL, no permissions, no sessions, no rules.
 * `GET /loans` gives the same 25 rows as the loan desk's list, of a borrower or of all, made by React or by plain strings; `POST /loans` inserts a loan with one line.
 */
import { createServer, type IncomingMessage } from 'node:http'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { renderToString } from 'react-dom/server'
import { gzipOptions } from '../src/web/compress.ts'

pg.types.setTypeParser(1082, text => text)
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const strings = process.env.FLOOR === 'strings'

interface Loan {
  readonly id: string
  readonly number: string
  readonly state: string
  readonly borrower: string
  readonly out_on: string
  readonly due_back: string
  readonly days: number
  readonly approved_by: string | null
}

/** Of one borrower, counted as far as Ninefold does; or of all, counted to the end. */
const questions = {
  own: of('l.borrower = $2 and ', 'limit 1001'),
  all: of('', ''),
}

function of(borrower: string, bound: string) {
  const where = `where ${borrower}l.state = $1`
  return {
    rows: `select l.id, l.number, l.state, p.name as borrower, l.out_on, l.due_back, l.due_back - l.out_on as days, a.name as approved_by
  from loan l join person p on p.id = l.borrower left join person a on a.id = l.approved_by
  ${where} order by l.due_back desc, l.id desc limit 26`,
    count: `select count(*)::int as n from (select 1 from loan l ${where} ${bound}) t`,
  }
}

const columns = ['number', 'state', 'borrower', 'out_on', 'due_back', 'days', 'approved_by'] as const
const navigation = ['My loans', 'Loan', 'People', 'Settings']
const states = ['Draft', 'Requested', 'Approved', 'Out', 'Overdue', 'Returned', 'Declined']

function Page({ loans, n, state }: { readonly loans: readonly Loan[]; readonly n: number; readonly state: string }) {
  return (
    <html lang="en">
      <head>
        <title>My loans</title>
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body>
        <nav>
          {navigation.map(label => (
            <a key={label} href={`/${label}`}>
              {label}
            </a>
          ))}
        </nav>
        <main>
          <h1>My loans</h1>
          <form>
            <label htmlFor="state">State</label>
            <select id="state" name="state" defaultValue={state}>
              {states.map(name => (
                <option key={name}>{name}</option>
              ))}
            </select>
            <label htmlFor="q">Search</label>
            <input id="q" name="q" />
            <button type="submit">Filter</button>
          </form>
          <p>{shown(n)} loans</p>
          <table>
            <thead>
              <tr>
                {columns.map(column => (
                  <th key={column} scope="col">
                    <a href={`?sort=${column}`}>{column}</a>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {loans.map(loan => (
                <tr key={loan.id}>
                  {columns.map((column, index) => (
                    <td key={column}>
                      {index === 0 ? <a href={`/loans/${loan.number}`}>{loan.number}</a> : loan[column]}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </main>
      </body>
    </html>
  )
}

const shown = (n: number) => (n === 1001 ? '1,000+' : n)

const escapeHtml = (value: unknown) => String(value ?? '').replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`)

function page(loans: readonly Loan[], n: number): string {
  const head = columns.map(column => `<th scope="col"><a href="?sort=${column}">${column}</a></th>`).join('')
  const body = loans
    .map(loan => {
      const cells = columns.map((column, index) =>
        index === 0
          ? `<td><a href="/loans/${escapeHtml(loan.number)}">${escapeHtml(loan.number)}</a></td>`
          : `<td>${escapeHtml(loan[column])}</td>`,
      )
      return `<tr>${cells.join('')}</tr>`
    })
    .join('')
  const links = navigation.map(label => `<a href="/${label}">${label}</a>`).join('')
  const options = states.map(name => `<option>${name}</option>`).join('')
  return `<!doctype html><html lang="en"><head><title>My loans</title><link rel="stylesheet" href="/style.css"></head><body><nav>${links}</nav><main><h1>My loans</h1><form><label for="state">State</label><select id="state" name="state">${options}</select><label for="q">Search</label><input id="q" name="q"><button type="submit">Filter</button></form><p>${shown(n)} loans</p><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></main></body></html>`
}

async function body(request: IncomingMessage): Promise<Record<string, string>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost')
  try {
    if (request.method === 'POST') {
      const loan = await body(request)
      const client = await pool.connect()
      try {
        await client.query('begin')
        await client.query({
          name: 'insert',
          text: `insert into loan (id, version, state, state_since, created_at, created_by, changed_at, number, borrower, out_on, due_back)
            values ($1, 1, 'Draft', now(), now(), $2, now(), $3, $2, $4, $5)`,
          values: [loan.id, loan.borrower, loan.number, loan.out_on, loan.due_back],
        })
        await client.query({
          name: 'line',
          text: `insert into loan_line (id, version, created_at, created_by, changed_at, loan, position, item, value, damaged)
            select $1, 1, now(), $2, now(), $3, 1, i.id, i.value, false from item i where i.id = $4`,
          values: [loan.line, loan.borrower, loan.id, loan.item],
        })
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw error
      } finally {
        client.release()
      }
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ id: loan.id }))
      return
    }
    const state = url.searchParams.get('state')!
    const borrower = url.searchParams.get('borrower')
    const which = borrower === null ? 'all' : 'own'
    const values = borrower === null ? [state] : [state, borrower]
    const [found, counted] = await Promise.all([
      pool.query<Loan>({ name: `rows of ${which}`, text: questions[which].rows, values }),
      pool.query<{ n: number }>({ name: `count of ${which}`, text: questions[which].count, values }),
    ])
    const n = counted.rows[0]!.n
    const loans = found.rows.slice(0, 25)
    const html = strings
      ? page(loans, n)
      : `<!doctype html>${renderToString(<Page loans={loans} n={n} state={state} />)}`
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' })
      .end(gzipSync(html, gzipOptions))
  } catch (error) {
    response.writeHead(500).end(String(error))
  }
})
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'))
process.on('SIGTERM', () => process.exit(0))
