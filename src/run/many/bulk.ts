/** One step or one edit, for each record of a selection, or that it is taken back: every record is asked and judged on its own. */

import type { Input } from '../outcome.ts'
import type { Request, Runtime } from '../request.ts'
import { undo } from '../write/undo.ts'
import { notFound } from '../write/write.ts'
import { change, takeStep } from '../write/writes.ts'
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

/** Changes one record of a job. */
export async function editRow(
  runtime: Runtime,
  request: Request,
  { entity, what }: Selected,
  { record, title }: JobRow,
): Promise<RowDone> {
  const outcome =
    record === null ? notFound(runtime.app) : await change(runtime, request, entity, record, null, inputOf(what))
  return { did: 'change', title, outcome }
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
