/**
 * Timers that look for their records when it is time, and those that are about none: which records they find, what becomes of these, and
 * of no others. All other timers are taken away meanwhile, and the clock is put back afterwards.
 */
import { leaves, withInner } from '../headings/4-states/all-acts.ts'
import type { Sweep } from '../headings/4-states/model.ts'
import { isUnspecified } from '../headings/specified.ts'
import { nobody } from '../store/system.ts'
import { otherDue } from './armed.ts'
import { becameItself } from './came.ts'
import type { Site } from './client.ts'
import { type About, begin, courseOf } from './course.ts'
import { type Taken, takenOf } from './happening.ts'
import { type Asked, recordsOf, worth } from './judge.ts'
import { otherMails } from './left.ts'
import { otherRecords } from './others.ts'
import { isSame } from './stage.ts'
import { madeBy } from './timers.ts'
import type { Line } from './verify.ts'
import { visitor, type World } from './world.ts'

const minuteMs = 60_000

/** A line for each. */
export async function trySweeps(site: Site, tell: (line: Line) => void): Promise<void> {
  const now = site.clock.now()
  for (const sweep of site.app.sweeps) {
    site.at?.(`the timer ${sweep.name}`)
    const { untried, wrong } = await trySweep(site, sweep)
    const title = `${sweep.name}: what happens when it is due, and with which records`
    const detail = untried ?? (wrong.length === 0 ? null : wrong.join('\n       '))
    tell({ cell: sweep.cell, title, passed: untried !== null || detail === null, untried: untried !== null, detail })
    await site.clock.hold()
    await site.clock.set(now)
  }
}

/** What is wrong, or why nothing can be told. */
interface Found {
  readonly untried: string | null
  readonly wrong: readonly string[]
}

const untried = (why: string): Found => ({ untried: why, wrong: [] })
const found = (...wrong: readonly string[]): Found => ({ untried: null, wrong: [...new Set(wrong)] })

async function trySweep(site: Site, sweep: Sweep): Promise<Found> {
  const { observatory, clock, judged } = site
  if (sweep.when !== null && isUnspecified(sweep.when)) return untried('its When is left open')
  const armedAt = async () => (await observatory.armed(sweep.entity, nobody)).get(sweep.key)
  if (!sweep.alone) await makeSome(site, sweep)
  await observatory.rearm(sweep.entity, nobody)
  clock.release()
  await clock.hold()
  const due = await armedAt()
  if (due === undefined) return found('it is never due')
  const other = otherMoment(site, sweep, await observatory.world(visitor), due)
  await observatory.waitOnly(sweep.entity, nobody, sweep.key)
  clock.release()
  await clock.set(new Date(due.getTime() - minuteMs))
  const stood = await observatory.world(visitor)
  const left = new Set((await observatory.caused()).map(({ id }) => id))
  if ((await armedAt())?.getTime() !== due.getTime()) return found(...other, 'it happens before it is due')
  await clock.set(due)
  const swept: Swept = { site, sweep, stood: stood.as(visitor), world: await observatory.world(visitor), left }
  const records = foundBy(swept)
  if (records === null) return untried('which records it finds cannot be told')
  if (records.length === 0) return untried('no record was found that it looks for')
  judged.in(sweep.cell, 'At', 'While', 'When')
  return found(
    ...other,
    ...(await becameOfEach(swept, records)),
    ...besides(swept, records),
    ...elsewhere(swept, records),
  )
}

/** A new record in each state that steps lead to, so that there is one to find, and one not to find. */
async function makeSome(site: Site, sweep: Sweep): Promise<void> {
  const entity = site.app.entities.get(sweep.entity)!
  if (entity.partOf !== null) return
  for (const state of site.app.workflows.get(entity.key)?.states.map(({ name }) => name) ?? [null])
    for (const player of site.players) if ((await madeBy(site, entity, state, player)) !== null) break
}

interface Swept {
  readonly site: Site
  readonly sweep: Sweep
  /** What stood there before, asked at the moment when it is due. */
  readonly stood: World
  readonly world: World
  /** What had left before. */
  readonly left: ReadonlySet<string>
}

/** `every day at 05:00 for each Supplier where not blocked, skip if missed by 2 hours`: when, and whom it looks for. */
function partsOf({ at: { cell } }: Sweep): { readonly rhythm: string; readonly records: string } {
  const [rhythm, records = ''] = cell.text.split(/\bfor each\b/)
  return { rhythm: rhythm!, records: records.replace(/,\s*(?:skip if missed\b.*|each missed)\s*$/i, '') }
}

function otherMoment({ app, judged }: Site, sweep: Sweep, world: World, due: Date): readonly string[] {
  const { name, cell, at, entity } = sweep
  const said = { name, cell, at: { cell: { ...at.cell, text: partsOf(sweep).rhythm } } }
  return otherDue({ app, judged, world, entity, after: { id: nobody } }, said, due)
}

/** What it finds, asked about; null: it cannot be told. A timer that is about no record happens once. */
function foundBy({ stood, sweep }: Swept): readonly Asked[] | null {
  const { entity, alone, when } = sweep
  const none: Asked = { ...stood.environment(entity, { id: nobody }), alone: true }
  const frames = alone ? [] : recordsOf(partsOf(sweep).records, none)
  if (frames === null) return null
  const all = alone
    ? [none]
    : frames.map(({ record }) => stood.environment(entity, stood.record(entity, String(record.id))!))
  const isThere = all.filter(({ row }) => sweep.while?.includes(String(row.state)) !== false)
  const held = isThere.map(asked => (when === null || isUnspecified(when) ? true : worth(when, asked)))
  return held.some(holds => typeof holds !== 'boolean' && holds !== null)
    ? null
    : isThere.filter((_, at) => held[at] === true)
}

/** Each of the records themselves, and what leaves about them. */
async function becameOfEach(swept: Swept, records: readonly Asked[]): Promise<readonly string[]> {
  const { site, sweep, stood, world, left } = swept
  const entity = site.app.entities.get(sweep.entity)!
  const trial = { site, entity, tallies: new Map(), done: () => undefined }
  const wrong: string[] = []
  for (const { row } of sweep.alone ? [] : records) {
    const [id, after] = [String(row.id), world.record(entity.key, String(row.id))]
    if (after === undefined) continue
    const known = { app: site.app, world: stood, entity: entity.key, record: row }
    const to = (row.state ?? null) as string | null
    const happening = { cell: sweep.cell, key: null, to, asks: [], acts: sweep.then }
    const taken: Taken = takenOf(trial, { known, stood, player: visitor, entries: 0, left }, happening, world, after)
    wrong.push(...becameItself(taken))
    if (entity.partOf !== null || !taken.isAlone) continue
    const leaving = (await site.observatory.left(entity.key, id)).filter(one => !left.has(one.id))
    wrong.push(...otherMails(taken, leaving))
  }
  return wrong
}

/** Records that it does not find say what they said. */
function besides({ site, sweep, stood, world }: Swept, records: readonly Asked[]): readonly string[] {
  const { name, fields } = site.app.entities.get(sweep.entity)!
  const meant = new Set(records.map(({ row }) => row.id))
  const inner = sweep.then.flatMap(withInner)
  // What it writes of others by other ways may be one of these.
  const isOwn = inner.every(act => leaves(act) || sweep.then.includes(act))
  const keys = sweep.then.flatMap(act =>
    act.kind === 'set' && act.of === null ? act.values.map(({ field }) => field) : [],
  )
  const isGone = sweep.then.some(act => act.kind === 'delete' && act.of.kind === 'itself')
  return sweep.alone || !isOwn
    ? []
    : stood.records(sweep.entity).flatMap(was => {
        const is = meant.has(was.id) ? was : world.record(sweep.entity, String(was.id))
        if (is === undefined) return isGone ? [`a ${name} is deleted that it does not look for`] : []
        const isSaid = fields.every(
          field => !keys.includes(field.key) || isSame(field, is[field.key] ?? null, (was[field.key] ?? null) as never),
        )
        return isSaid && is.state === was.state ? [] : [`a ${name} is written that it does not look for`]
      })
}

/** Other records, once it has happened with each of them. */
function elsewhere({ site, sweep, stood, world }: Swept, records: readonly Asked[]): readonly string[] {
  const { app } = site
  const course = records.reduce(
    (so, asked) => {
      const about: About = {
        app,
        asked: then => ({
          ...then.environment(sweep.entity, then.record(sweep.entity, String(asked.row.id)) ?? asked.row),
          ...(asked.alone && { alone: true as const }),
        }),
        isOwn: true,
        given: new Map(),
      }
      return courseOf(so, sweep.then, about)
    },
    begin(sweep.then, world, stood),
  )
  return course.isKnown ? otherRecords({ site, course, stood, world, own: null }) : []
}
