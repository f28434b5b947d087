/** What has to be there before a row can be tried: records with everything that is required, brought to a state by real steps. */
import type { Cell } from '../document/source.ts'
import { evaluate, NOT_LOADED } from '../expression/evaluate.ts'
import type { Entity, Field } from '../headings/3-entities/model.ts'
import { said } from '../headings/said.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { ask, isOk, type Player, type Reply, type Site, sendFile, verdictOf } from './client.ts'
import { fileNamed, fileOf, type SampleFile } from './files.ts'

export type Values = Record<string, unknown>

/** A row cannot be tried, and why. */
export class CannotArrange extends Error {}

export interface Given {
  readonly field: Field
  readonly cell: Cell
}

/** JSON values for cells of an example or a scenario: references are looked up as `player` sees them. */
export async function valuesOf(site: Site, player: Player, given: readonly Given[]): Promise<Values> {
  const values: Values = {}
  for (const { field, cell } of given) values[field.key] = await wireJson(site, player, field, cell.text)
  return values
}

async function wireJson(site: Site, player: Player, field: Field, text: string): Promise<unknown> {
  if (text === '') return null
  if (field.type.kind === 'reference') return await referred(site, player, field.type.entity, text)
  if (field.type.kind === 'file') return await sent(site, player, field, fileNamed(text))
  if (field.type.kind === 'list') {
    const { entity } = field.type
    return await Promise.all(text.split(',').map(one => referred(site, player, entity, one.trim())))
  }
  const kind = fieldKind(field.kind)
  const parsed = kind.parse(text, field.parameters, 'en')
  if ('misfit' in parsed) throw new CannotArrange(`'${text}' is not a value of ${field.key}`)
  return kind.toJson(parsed.value, field.parameters)
}

/** The value of a field that holds a file, which is sent first. */
async function sent(site: Site, player: Player, { key }: Field, file: SampleFile | null): Promise<unknown> {
  if (file === null) throw new CannotArrange(`${key} needs a file of a kind that cannot be made for trying`)
  const reply = await sendFile(site, player, file)
  if (!isOk(reply)) throw new CannotArrange(`the file for ${key} is not taken: ${verdictOf(reply)}`)
  return reply.body
}

/** The id of the record that a title or a unique value names. */
async function referred(site: Site, player: Player, entity: string, text: string): Promise<string> {
  if (entity === 'person') {
    const person = site.players.find(({ name }) => name === text)
    if (person === undefined) throw new CannotArrange(`nobody is named '${text}'`)
    return person.id
  }
  const of = site.app.entities.get(entity)!
  const names = new Set([...of.title, ...of.fields.filter(({ unique }) => unique !== null).map(({ key }) => key)])
  for (const name of names) {
    const { body } = await ask(site, player, 'GET', `${entity}?${new URLSearchParams({ [name]: text })}`)
    const [row] = (body.data ?? []) as readonly { readonly id: string }[]
    if (row !== undefined) return row.id
  }
  throw new CannotArrange(`${player.name} sees no ${of.name} named '${text}'`)
}

/** Adds a value to every required field that has none and gets none by itself. */
export async function completed(
  site: Site,
  player: Player,
  entity: Entity,
  values: Values,
  within = '',
): Promise<Values> {
  const all: Values = { ...values }
  for (const field of entity.fields) {
    if (field.key in all || !isAsked(field)) continue
    if (field.type.kind === 'list' && fieldKind(field.kind).links) {
      if (field.required !== null) all[field.key] = [await anyRecord(site, player, field, field.type.entity)]
    } else if (field.type.kind === 'list') {
      if (!needsRow(site, field)) continue
      all[field.key] = [await completed(site, player, site.app.entities.get(field.type.entity)!, {}, entity.key)]
    } else if (field.required !== null && field.default === null && field.key !== within) {
      all[field.key] = await anyValue(site, player, field)
    }
  }
  return all
}

const isAsked = ({ computed, copiedFrom, setBy, hidden, kind }: Field): boolean =>
  computed === null &&
  copiedFrom === null &&
  setBy === null &&
  hidden === null &&
  (kind === 'list of' || fieldKind(kind).entered)

function needsRow(site: Site, { min }: Field): boolean {
  if (min === null) return false
  const limits = Object.fromEntries([...site.app.limits].map(([key, { value }]) => [key, said(value)?.wire ?? null]))
  const least = evaluate(min, {
    row: {},
    old: null,
    me: null,
    my: null,
    today: '',
    now: '',
    limits,
    related: () => undefined,
  })
  return least !== NOT_LOADED && Number(least) > 0
}

/** Makes up to this many different values for fields that must be unique. */
let made = 0

async function anyRecord(site: Site, player: Player, { key }: Field, entity: string): Promise<string> {
  if (entity === 'person') return player.id
  const { body } = await ask(site, player, 'GET', `${entity}?limit=1`)
  const [row] = (body.data ?? []) as readonly { readonly id: string }[]
  const id = row?.id ?? (await newRecord(site, player, entity))
  if (id === null)
    throw new CannotArrange(`${key} is required, and ${player.name} sees no record for it; add sample data`)
  return id
}

/** Entities of which a record is being made: what requires each other ends here. */
const making = new Set<string>()

/** Where there is none yet, one that the person may make. */
async function newRecord(site: Site, player: Player, entity: string): Promise<string | null> {
  if (making.has(entity)) return null
  making.add(entity)
  try {
    const values = await completed(site, player, site.app.entities.get(entity)!, {})
    const reply = await ask(site, player, 'POST', entity, values)
    return isOk(reply) ? String(reply.body.id) : null
  } finally {
    making.delete(entity)
  }
}

async function anyValue(site: Site, player: Player, field: Field): Promise<unknown> {
  if (field.type.kind === 'reference') return await anyRecord(site, player, field, field.type.entity)
  if (field.type.kind === 'file') return await sent(site, player, field, fileOf(field.types?.names ?? null))
  made++
  const { pattern, parameters } = field
  const kind = fieldKind(field.kind)
  if (pattern !== null) return pattern.shown.replace(/9/g, (_, at: number) => String(made + at).slice(-1))
  if (parameters.choices !== undefined) return parameters.choices[0]
  const [example] = kind.examples.find(({ good }) => good.length > 0)?.good ?? []
  if (field.type.kind === 'text')
    return field.unique === null ? (example?.text ?? 'x').slice(0, parameters.length ?? 200) : `x${made}`
  const wire = field.min?.cell.text.match(/-?\d+(\.\d+)?$/)?.[0] ?? example?.wire ?? null
  return wire === null ? null : kind.toJson(wire, parameters)
}

/** Players, those first who are more likely to succeed. */
export const playersFrom = (site: Site, first: Player | null): readonly Player[] =>
  first === null ? site.players : [first, ...site.players.filter(player => player !== first)]

/** Brings a new record to a state along the shortest way of steps, each taken by whoever is let. */
export async function bringTo(
  site: Site,
  entity: string,
  id: string,
  state: string,
  first: Player | null,
): Promise<void> {
  const way = wayTo(site, entity, state)
  if (way === null) throw new CannotArrange(`no steps lead to ${state}`)
  for (const { step, to } of way) {
    const tries: string[] = []
    let isTaken = false
    for (const player of playersFrom(site, first)) {
      const reply: Reply = await stepOf(site, player, entity, id, step)
      // A decision that others have to follow leaves the state as it is.
      isTaken = isOk(reply) && (reply.body.state === undefined || reply.body.state === to)
      if (isTaken) break
      tries.push(`${player.name}: ${isOk(reply) ? 'agreed' : verdictOf(reply)}`)
    }
    if (!isTaken)
      throw new CannotArrange(`nobody can take the step ${step} on the way to ${state} (${tries.join('; ')})`)
  }
}

/** Takes a step. Where it asks for what nobody gave, `fill` gives something, as `completed` does for records. */
export async function stepOf(
  site: Site,
  player: Player,
  entity: string,
  id: string,
  step: string,
  fill: (reply: Reply) => boolean = () => true,
): Promise<Reply> {
  const path = `${entity}/${id}/${step}`
  const reply = await ask(site, player, 'POST', path)
  if (isOk(reply) || !fill(reply)) return reply
  const errors = (reply.body.errors ?? []) as readonly { readonly code?: string; readonly pointer?: string }[]
  const missing = errors.flatMap(({ code, pointer }) => {
    const key = code === 'NF-REQUIRED' ? pointer?.slice(1) : undefined
    return site.app.entities.get(entity)!.fields.filter(field => field.key === key)
  })
  if (missing.length === 0 || missing.length < errors.length) return reply
  const values: Values = {}
  for (const field of missing) values[field.key] = await anyValue(site, player, field)
  return await ask(site, player, 'POST', path, values)
}

interface Taken {
  readonly step: string
  readonly to: string
}

function wayTo(site: Site, entity: string, state: string): readonly Taken[] | null {
  const workflow = site.app.workflows.get(entity)
  if (workflow === undefined) return null
  const ways = new Map<string, readonly Taken[]>([[workflow.start, []]])
  for (const [from, way] of ways) {
    if (from === state) return way
    for (const { from: sources, to, key } of workflow.transitions) {
      const target = said(to)
      if (target !== null && said(sources)?.includes(from) === true && !ways.has(target))
        ways.set(target, [...way, { step: key, to: target }])
    }
  }
  return null
}
