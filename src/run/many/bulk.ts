/** One step or one edit, for each record of a selection, or that it is taken back: every record is asked and judged on its own. */

import { isEmpty } from '../../document/file-cells.ts'
import type { Input } from '../outcome.ts'
import { raise } from '../problems/raise.ts'
import type { Request, Runtime } from '../request.ts'
import { undo } from '../write/undo.ts'
import { notFound } from '../write/write.ts'
import { change, takeStep } from '../write/writes.ts'
import { readRows } from './import.ts'
import type { JobRow, JobWhat, RowDone } from './jobs.ts'

interface Selected {
  readonly entity: string
  readonly what: JobWhat
}

const inputOf = ({ values }: JobWhat): Input => ({ values: values ?? {}, children: {}, invalidValues: [] })

/** Takes the step for one record of a job. */
export async function stepRow(
  runtime: Runtime,
  request: Request,
  { entity, what }: Selected,
  { record, title }: JobRow,
): Promise<RowDone> {
  const step = what.step ?? ''
  const outcome =
    record === null
      ? notFound(runtime.app)
      : await takeStep(runtime, request, entity, record, step, null, inputOf(what))
  return { did: step, title, outcome }
}

/** Changes one record of a job: all by the same values, or each by those of its own cells. */
export async function editRow(
  runtime: Runtime,
  request: Request,
  { entity, what }: Selected,
  row: JobRow,
): Promise<RowDone> {
  const { record, title, cells } = row
  if (record === null) return { did: 'change', title, outcome: notFound(runtime.app) }
  const input = cells === null ? inputOf(what) : await ownInput(runtime, request, { entity, what }, row)
  return { did: 'change', title, outcome: await change(runtime, request, entity, record, null, input) }
}

async function ownInput(runtime: Runtime, request: Request, { entity, what }: Selected, row: JobRow): Promise<Input> {
  const read = (await readRows(runtime, request, { entity, what }, [row], false)).get(row.number)!
  // What stands over a column that nobody changes there is told, and not dropped.
  const shut = (what.columns ?? []).flatMap((label, at) =>
    what.mapping?.[at] != null || isEmpty(row.cells?.[at] ?? '') ? [] : [raise(runtime.app, 'NF-FIXED', { label })],
  )
  return { values: read.values, children: {}, invalidValues: [...shut, ...read.invalidValues] }
}

/** Takes back what a job did with one record. */
export async function undoRow(
  runtime: Runtime,
  request: Request,
  { entity }: Selected,
  { record, title, version }: JobRow,
): Promise<RowDone> {
  const outcome =
    record === null || version === null
      ? notFound(runtime.app)
      : await undo(runtime, request, { entity, id: record, version })
  return { did: 'change', title, outcome }
}
