/** What stands in other records once acts have written them: those that they create, set, lead on and delete, and no others. */
import { NOT_LOADED } from '../expression/evaluate.ts'
import type { RecordValue, Wire } from '../expression/type.ts'
import type { Entity, Field } from '../headings/3-entities/model.ts'
import type { Act, GivenRows } from '../headings/4-states/model.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { said, worthAsHeld } from './answers.ts'
import type { Site } from './client.ts'
import { askedOf, type Course, type Occurrence, recordsFor } from './course.ts'
import type { Asked } from './judge.ts'
import * as oracle from './oracle/rights.ts'
import { isSame } from './stage.ts'
import type { World } from './world.ts'

export interface Written {
  readonly site: Site
  readonly course: Course
  readonly stood: World
  readonly world: World
  /** The record that the acts are about; null: each of them is about another one. */
  readonly own: { readonly entity: string; readonly id: string } | null
}

/** What is not as the acts say; empty: nothing. */
export function otherRecords(written: Written): readonly string[] {
  const { course, own } = written
  const made = new Set<string>()
  const found = course.occurred.flatMap((occurrence, at) => {
    // What acts behind it wrote over is not there any more.
    const later = course.occurred.slice(at + 1).map(({ act }) => act)
    const reads =
      own === null ? [] : oracle.readsOf({ world: written.world, entity: own.entity }, occurrence.act.cell.text)
    if ([...reads].some(key => later.some(one => setsField(one, key)))) return []
    return occurrence.act.kind === 'create'
      ? createdBy(written, occurrence, occurrence.act, made)
      : writtenBy(written, occurrence)
  })
  return [...new Set([...found, ...othersBesides(written)])]
}

export const setsField = (act: Act, key: string): boolean =>
  act.kind === 'set' && act.of === null && act.values.some(({ field }) => field === key)

function writtenBy({ site, course, world }: Written, { act, others }: Occurrence): readonly string[] {
  const { app, judged } = site
  return others.flatMap(({ entity, id, values }): readonly string[] => {
    const [of, is, says] = [app.entities.get(entity)!, world.record(entity, id), course.world.record(entity, id)]
    judged.add(act.cell)
    if (values === null)
      return is === undefined || is.archived_at != null ? [] : [`a ${of.name} is there that is deleted`]
    // One that an act behind it deletes is not there to be looked at.
    if (is === undefined || says === undefined) return []
    if (act.kind === 'do') {
      judged.in(app.workflows.get(of.key)!.transitions.find(({ key }) => key === act.step)!.cell, 'To')
      return is.state === says.state ? [] : [`${act.step} is not taken of ${act.on.entity}`]
    }
    const wrong = Object.keys(values).filter(key => {
      const field = of.fields.find(one => one.key === key)
      const isOther =
        field === undefined ? is[key] !== says[key] : !isSame(field, is[key] ?? null, (says[key] ?? null) as Wire)
      return isOther && (field === undefined || !followsItself(field))
    })
    return wrong.length > 0 ? [`${of.name} does not say what is set there`] : []
  })
}

type Creation = Extract<Act, { readonly kind: 'create' }>

function createdBy(
  { site, stood, world }: Written,
  { asked }: Occurrence,
  act: Creation,
  made: Set<string>,
): readonly string[] {
  const of = site.app.entities.get(act.entity)!
  const says = valuesGiven(of, act.values, asked)
  site.judged.add(act.cell)
  const isIt = (record: RecordValue) =>
    !made.has(String(record.id)) && stood.record(of.key, String(record.id)) === undefined && saysAll(record, says)
  const found = world.records(of.key).find(isIt)
  if (found === undefined) return [`no ${of.name} is made that says what it should`]
  made.add(String(found.id))
  return [
    ...otherDefaults(site, world, of, found, new Set(act.values.map(({ field }) => field))),
    ...otherRows(site, world, found, act.rows, asked),
  ]
}

const saysAll = (record: RecordValue, says: readonly Said[]): boolean =>
  says.every(({ field, wire }) => isSame(field, record[field.key] ?? null, wire))

interface Said {
  readonly field: Field
  readonly wire: Wire
}

function valuesGiven(of: Entity, values: Creation['values'], asked: Asked): readonly Said[] {
  return values.flatMap(({ field: key, value }) => {
    const field = of.fields.find(one => one.key === key)
    const wire = worthAsHeld(field, value, asked)
    return field === undefined || wire === NOT_LOADED || field.kind === 'list of' ? [] : [{ field, wire }]
  })
}

/** The rows that it is created with, one for each of their records, and theirs. */
function otherRows(
  site: Site,
  world: World,
  made: RecordValue,
  rows: readonly GivenRows[],
  asked: Asked,
): readonly string[] {
  return rows.flatMap(({ field, entity, name, of: from, values, rows: inner, cell }): readonly string[] => {
    const of = site.app.entities.get(entity)!
    const frames = recordsFor(from, asked)
    const is = made[field]
    if (frames === null || !Array.isArray(is)) return []
    site.judged.add(cell)
    if (is.length !== frames.length) return [`${of.name}: ${is.length} are made, and not ${frames.length}`]
    return frames.flatMap((frame, at): readonly string[] => {
      const given = new Map(asked.given)
      if (name !== null) given.set(name, { is: 'record', entity: frame.entity, of: String(frame.record.id) })
      const about = { ...askedOf(world, frame, asked), given }
      const row = is[at] as RecordValue
      const isSaid = saysAll(row, valuesGiven(of, values, about))
      return [
        ...(isSaid ? [] : [`a ${of.name} does not say what it is made with`]),
        ...otherRows(site, world, row, inner, about),
      ]
    })
  })
}

/** As many are made as are created, and none is set, led on or deleted beside those that are meant. */
function othersBesides({ site, course, stood, world, own }: Written): readonly string[] {
  const { entities } = site.app
  const wrong: string[] = []
  const counts = new Map<string, number>()
  const touched = new Map<string, { readonly ids: Set<string>; readonly keys: Set<string>; isGone: boolean }>()
  for (const { act, others } of course.occurred) {
    if (act.kind === 'create') counts.set(act.entity, (counts.get(act.entity) ?? 0) + 1)
    for (const { entity, id, values } of others) {
      const known = touched.get(entity) ?? { ids: new Set(), keys: new Set(), isGone: false }
      known.ids.add(id)
      for (const key of Object.keys(values ?? {})) known.keys.add(key)
      known.isGone ||= values === null
      touched.set(entity, known)
    }
  }
  for (const [entity, count] of counts) {
    const { name, partOf } = entities.get(entity)!
    const isNew = ({ id }: RecordValue) => stood.record(entity, String(id)) === undefined && id !== own?.id
    const is = world.records(entity).filter(isNew).length
    if (partOf === null && is !== count) wrong.push(`${is} of ${name} are made, and not ${count}`)
  }
  for (const [entity, { ids, keys, isGone }] of touched)
    for (const was of stood.records(entity)) {
      const id = String(was.id)
      if (ids.has(id) || id === own?.id) continue
      const { name, fields } = entities.get(entity)!
      const is = world.record(entity, id)
      if (is === undefined && isGone) wrong.push(`a ${name} is deleted that is not meant`)
      const isOther = (key: string) => {
        const field = fields.find(one => one.key === key)
        return field === undefined
          ? is?.[key] !== was[key]
          : !followsItself(field) && !isSame(field, is?.[key] ?? null, (was[key] ?? null) as Wire)
      }
      if (is !== undefined && [...keys].some(isOther)) wrong.push(`a ${name} is written that is not meant`)
    }
  return wrong
}

/** What nobody gave is there by default. */
function otherDefaults({ judged }: Site, world: World, of: Entity, made: RecordValue, given: ReadonlySet<string>) {
  return storedOf(of).flatMap(field => {
    if (field.default === null || given.has(field.key) || followsItself(field)) return []
    const wire = worthAsHeld(field, field.default, world.environment(of.key, made))
    if (wire === NOT_LOADED) return []
    judged.add(field.default.cell)
    const is = made[field.key] ?? null
    return isSame(field, is, wire) ? [] : [`${field.key} of the ${of.name} is ${said(is)}, and not ${said(wire)}`]
  })
}

/** Fields with a value of their own in the record, but for those that keep since when it is frozen, and what it was then. */
export function storedOf({ fields, frozen: whole }: Entity): readonly Field[] {
  const kept = new Set([
    whole?.mark,
    ...fields.flatMap(({ key, frozen }) => (frozen === null ? [] : [frozen.mark, `${key}_frozen`])),
  ])
  return fields.filter(
    ({ key, computed, type, kind }) =>
      computed === null &&
      type.kind !== 'list' &&
      type.kind !== 'file' &&
      fieldKind(kind).sealed !== true &&
      !kept.has(key),
  )
}

/** What the application writes by itself: numbers that a step gives, what is worked out, and what is not there any more. */
export const followsItself = ({ givenOn, renewed, copiedFrom, onlyWhen, assignedFrom }: Field): boolean =>
  renewed || [givenOn, copiedFrom, onlyWhen, assignedFrom].some(one => one !== null)
