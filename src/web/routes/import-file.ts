/** From a file to the job that waits for its columns to be told apart; from its file again, where another sheet or row of headings is meant. */
import { writtenAs } from '../../run/many/import.ts'
import { importFields, importKeys } from '../../run/many/import-fields.ts'
import { dropJob, type Job, type JobWhat, lastImport, makeJob, readFile } from '../../run/many/jobs.ts'
import { readAnyTable } from '../large-tables.ts'
import type { RequestContext } from '../request-context.ts'
import { type FileTable, type NoTable, plainHeading, type TableWish } from '../tables.ts'
import { withoutReasons } from './refused-rows.ts'

interface SentFile {
  readonly name: string
  readonly bytes: Buffer
}

type Where = Pick<TableWish, 'sheet' | 'heading'>

/** The address of the job is its id. */
export async function draftImport(
  context: RequestContext,
  entity: string,
  file: SentFile,
  where: Where = { sheet: null, heading: null },
): Promise<{ readonly job: string } | NoTable> {
  const { runtime, request, site } = context
  const names = importFields(runtime, request, entity).flatMap(({ key, label }) => [key, label])
  const table = await readAnyTable(file.bytes, { names, locale: site.reader.locale, ...where })
  if (typeof table === 'string') return table
  const { what, rows } = await draftOf(context, entity, file.name, table)
  return {
    job: await makeJob(runtime, request, { kind: 'import', entity, what, state: 'draft', file: file.bytes }, rows),
  }
}

/** A new job in place of the one before. */
export async function readAgain(
  context: RequestContext,
  job: Job,
  where: Where,
): Promise<{ readonly job: string } | NoTable> {
  const bytes = await readFile(context.runtime, job)
  if (bytes === null) return { job: job.id }
  const again = await draftImport(context, job.entity, { name: job.what.file ?? '', bytes }, where)
  if (typeof again !== 'string') await dropJob(context.runtime, job)
  return again
}

async function draftOf({ runtime, request, site }: RequestContext, entity: string, file: string, table: FileTable) {
  const fields = importFields(runtime, request, entity)
  const found = mappingOf(table.columns, fields)
  const { columns, rows } = withoutReasons(table, found, site)
  const last = await lastImport(runtime, request, entity, columns)
  const isOpen = (key: string | null | undefined) => fields.some(field => field.key === key)
  const mapping = (last?.mapping ?? found).map(key => (isOpen(key) ? key : null))
  const keys = importKeys(runtime, request, entity).filter(one => one.fields.every(field => mapping.includes(field)))
  const key = (last === null ? keys[0] : keys.find(({ name }) => name === last.key))?.name ?? null
  const what: JobWhat = {
    columns,
    mapping: mapping.slice(0, columns.length),
    key,
    written: last?.written ?? writtenAs(site.app, entity, mapping, rows, site.reader.locale),
    file,
    delimiter: table.delimiter,
    place: table.place,
  }
  return { what, rows }
}

/** A column goes into the field that has its name, or its label; each field once. */
function mappingOf(
  columns: readonly string[],
  fields: readonly { readonly key: string; readonly label: string }[],
): readonly (string | null)[] {
  const used = new Set<string>()
  return columns.map(column => {
    const name = plainHeading(column)
    const found = fields.find(
      ({ key, label }) => !used.has(key) && (plainHeading(label) === name || plainHeading(key) === name),
    )
    if (found !== undefined) used.add(found.key)
    return found?.key ?? null
  })
}
