/** A file of records is brought in: chosen here, told apart and tried on the page of its job. Who may not import finds nothing here. */
import { importFields, importKeys, mayImport, writtenAs } from '../../run/many/import.ts'
import { type JobWhat, lastImport, makeJob } from '../../run/many/jobs.ts'
import { Submit } from '../../ui/buttons.tsx'
import { Field } from '../../ui/form.tsx'
import { PageHead, Sheet } from '../../ui/page.tsx'
import { type Answer, seeOther } from '../answer.ts'
import { tableBytes, tableRows } from '../bounds.ts'
import type { Exchange } from '../exchange.ts'
import { readAnyTable } from '../large-tables.ts'
import { csrfInput, notFound, pageOf } from '../pages.tsx'
import { listOf } from '../records.ts'
import { importHref } from '../routes.ts'
import { thingsOf } from '../screens/things.ts'
import { say } from '../sentences.ts'
import { capital } from '../site.ts'
import type { NoTable } from '../tables.ts'
import { jobHref } from './jobs.tsx'
import { withoutReasons } from './refused-rows.ts'

const entityOf = ({ query, runtime, request }: Exchange): string | null => {
  const entity = query.get('entity') ?? ''
  return mayImport(runtime, request, entity) ? entity : null
}

export function importPage(exchange: Exchange): Promise<Answer> {
  const entity = entityOf(exchange)
  return entity === null ? notFound(exchange) : page(exchange, entity, null)
}

function page(exchange: Exchange, entity: string, wrong: NoTable | 'fileMissing' | null): Promise<Answer> {
  const { site, runtime, request } = exchange
  const things = thingsOf(site, entity)
  const title = say(site, 'importTitle', { things })
  const place = site.routes.places.get(entity)
  const back = place === undefined ? '/' : listOf(exchange, place)
  const text = wrong === null ? null : say(site, wrong, { rows: site.reader.format.count(tableRows) })
  const fields = importFields(runtime, request, entity).map(({ label }) => label)
  return pageOf(exchange, {
    title: [title],
    crumbs: [
      { label: capital(things), href: back },
      { label: title, href: null },
    ],
    faults: text === null ? [] : [{ control: 'file', text }],
    content: (
      <>
        <PageHead title={title} first={text === null} />
        <Sheet title={say(site, 'importChoose')}>
          <form method="post" action={importHref(entity)} encType="multipart/form-data" className="stack">
            <input type="hidden" name="_csrf" value={csrfInput(exchange).value} />
            <Field
              id="file"
              label={say(site, 'importFile')}
              hint={say(site, 'importHint', {
                rows: site.reader.format.count(tableRows),
                bytes: site.reader.format.bytes(tableBytes),
                fields: site.reader.format.allOf(fields),
              })}
              error={text}
            >
              {aid => <input {...aid} className="in" type="file" name="file" accept=".csv,.xlsx,text/csv" required />}
            </Field>
            <div className="acts">
              <Submit tone="primary">{say(site, 'importNext')}</Submit>
              <a className="btn" href={back}>
                {site.reader.words('cancel')}
              </a>
            </div>
          </form>
        </Sheet>
      </>
    ),
  })
}

/** Nothing is written but the file's rows, beside the records: they wait for their columns to be told apart. */
export async function importFile(exchange: Exchange): Promise<Answer> {
  const { runtime, request, site, table: sent } = exchange
  const entity = entityOf(exchange)
  if (entity === null) return notFound(exchange)
  if (sent === null) return page(exchange, entity, 'fileMissing')
  const table = await readAnyTable(sent.bytes)
  if (typeof table === 'string') return page(exchange, entity, table)
  const fields = importFields(runtime, request, entity)
  const found = mappingOf(table.columns, fields)
  const columns = withoutReasons(table.columns, found)
  const last = await lastImport(runtime, request, entity, columns)
  const isOpen = (key: string | null | undefined) => fields.some(field => field.key === key)
  const mapping = (last?.mapping ?? found).map(key => (isOpen(key) ? key : null))
  const keys = importKeys(runtime, request, entity).filter(one => one.fields.every(field => mapping.includes(field)))
  const key = (last === null ? keys[0] : keys.find(({ name }) => name === last.key))?.name ?? null
  const what: JobWhat = {
    columns,
    mapping: mapping.slice(0, columns.length),
    key,
    written: last?.written ?? writtenAs(site.app, entity, mapping, table.rows, site.reader.locale),
    file: sent.name,
    delimiter: table.delimiter,
  }
  const job = await makeJob(runtime, request, { kind: 'import', entity, what, state: 'draft' }, table.rows)
  return seeOther(jobHref(job))
}

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim()

/** A column goes into the field that has its name, or its label; each field once. */
function mappingOf(
  columns: readonly string[],
  fields: readonly { readonly key: string; readonly label: string }[],
): readonly (string | null)[] {
  const used = new Set<string>()
  return columns.map(column => {
    const found = fields.find(
      ({ key, label }) => !used.has(key) && (plain(label) === plain(column) || plain(key) === plain(column)),
    )
    if (found !== undefined) used.add(found.key)
    return found?.key ?? null
  })
}
