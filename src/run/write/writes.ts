/**
 * What people and programs ask for, each in a transaction of its own: create, change, delete, and steps. Refusals are outcomes. `version` is
 * the one that was seen: another one is there now gives `stale`; null does not ask.
 */
import type { Cell } from '../../document/source.ts'
import { sampled } from '../many/sampled.ts'
import type { Input, Outcome } from '../outcome.ts'
import type { Request, Runtime } from '../request.ts'
import { isId } from '../values.ts'
import { accompanied } from './accompanied.ts'
import { nothingGiven } from './asks.ts'
import { holding } from './held.ts'
import { type Moved, type Place, placing } from './place.ts'
import { removing, restoring } from './remove.ts'
import { stepInside } from './step.ts'
import { changing, creating, type Given, notFound, type Work } from './write.ts'
import { writing } from './writing.ts'

/** Opens a transaction only where there is something to do in it. */
export const begin = async (
  runtime: Runtime,
  request: Request,
  what: string,
  entity: string,
  work: Work,
  record: string | null = null,
): Promise<Outcome> => (typeof work === 'function' ? writing(runtime, request, what, entity, work, record) : work)

/** Creates a record with its child rows. `id` may be given where the caller must know it beforehand. */
export const create = (
  runtime: Runtime,
  request: Request,
  entity: string,
  input: Input,
  id?: string,
): Promise<Outcome> =>
  begin(runtime, request, 'create', entity, creating(runtime, request, entity, input, id === undefined ? {} : { id }))

/** Puts in a record of the sample data, as `because` says it: in a state, without anything that follows from its creation. */
export const putIn = (
  runtime: Runtime,
  request: Request,
  entity: string,
  input: Input,
  sample: { readonly state: string | null; readonly because: Cell },
): Promise<Outcome> =>
  begin(
    runtime,
    request,
    sampled,
    entity,
    creating(runtime, request, entity, input, { sample, because: sample.because }),
  )

/**
 * Changes a record: only the values that are given, and a value that is as it was is no change. A list of child rows that is given replaces
 * all rows of that list: rows with an id stay, rows that are missing go.
 */
export const change = (
  runtime: Runtime,
  request: Request,
  entity: string,
  id: string,
  version: number | null,
  input: Given,
): Promise<Outcome> =>
  begin(runtime, request, 'change', entity, changing(runtime, request, entity, id, version, input), id)

/** Deletes a record with its child rows. What refers to it keeps it from going. */
export const remove = (
  runtime: Runtime,
  request: Request,
  entity: string,
  id: string,
  version: number | null,
): Promise<Outcome> => begin(runtime, request, 'delete', entity, removing(runtime, request, entity, id, version), id)

/** Deletes a record whose time is over, where others would be archived, too. */
export const removeForGood = (runtime: Runtime, request: Request, entity: string, id: string): Promise<Outcome> =>
  begin(runtime, request, 'delete', entity, removing(runtime, request, entity, id, null, { forGood: true }))

/** Brings an archived record back. */
export const restore = (
  runtime: Runtime,
  request: Request,
  entity: string,
  id: string,
  version: number | null,
): Promise<Outcome> => begin(runtime, request, 'change', entity, restoring(runtime, request, entity, id, version), id)

/** Puts a record elsewhere in an order by hand, and tells how that can be undone. */
export const place = (
  runtime: Runtime,
  request: Request,
  entity: string,
  id: string,
  to: Place,
  tell?: (moved: Moved) => void,
): Promise<Outcome> => begin(runtime, request, 'change', entity, placing(runtime, request, entity, id, to, tell), id)

/** Takes a step, by its key. `input` is what it asks for. */
export async function takeStep(
  runtime: Runtime,
  request: Request,
  entity: string,
  id: string,
  step: string,
  version: number | null,
  input: Input = nothingGiven,
): Promise<Outcome> {
  const { app } = runtime
  if (!app.entities.has(entity) || !isId(id)) return notFound(app)
  const taking = { entity, id, step, version, input }
  const holds = app.workflows.get(entity)?.transitions.some(({ key, undo }) => key === step && undo !== null) === true
  const whole = holds ? accompanied(runtime, holding(runtime, request)) : runtime
  return writing(whole, request, step, entity, tx => stepInside(tx, runtime, request, taking), id)
}
