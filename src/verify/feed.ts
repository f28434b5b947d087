/** What open pages are told while they stand there: that a record changed is told to whoever sees it and the field, and to nobody else. */

import type { Screen } from '../headings/2-screens/model.ts'
import type { Entity } from '../headings/3-entities/model.ts'
import { specified } from '../headings/specified.ts'
import { kindOf } from '../kinds/screens/index.ts'
import { isLogged } from '../run/access/read-log.ts'
import { livePath } from '../web/paths.ts'
import { fieldIn } from '../web/routes.ts'
import { opensScreen } from './audience.ts'
import { ask, isOk, type Player, type Site } from './client.ts'
import { typedIn } from './forms.ts'
import * as oracle from './oracle/rights.ts'
import { reachFeed } from './reach.ts'
import { type Case, caseOf, doorOf, type Subject, type Tally, type Trial } from './trial.ts'
import { visitor } from './world.ts'

/** Milliseconds between two looks whether it was told, and for which it is looked. */
const [pause, patience] = [50, 20_000]
/** Milliseconds after which the first change is made once more: whoever begins to listen may miss it. */
const again = 250

interface Listener {
  readonly player: Player
  /** How often it was told. */
  times: number
  /** Why it hears nothing more; null: it does. */
  broken: unknown
  readonly end: () => void
}

/** Of each shape of an entity it is enough to have been told once, and to have been kept from somebody once. */
const shapes = new WeakMap<object, Set<string>>()

export async function tryFeed(trial: Trial, subject: Subject, writer: Player): Promise<void> {
  const { site, entity } = trial
  const known = await caseOf(trial, subject, writer)
  const key = typedIn(entity).find(one => known !== null && oracle.setsField(known, { key: one }))
  const screen = site.app.screens.find(one => isListOf(one, entity))
  if (known === null || key === undefined || screen === undefined) return
  if (!oracle.changes(known) || isLogged(site.app, entity.key)) return
  const done = shapes.get(site.observatory) ?? new Set()
  shapes.set(site.observatory, done)
  const shape = `${site.app.workflows.has(entity.key)} ${entity.fields.some(({ type }) => type.kind === 'list')}`
  if (done.has(shape)) return
  const write = async (text: string) =>
    isOk(await ask(site, writer, 'PATCH', `${entity.key}/${subject.id}`, { [key]: text }))
  if (!(await write('One'))) return
  const hears = () => hearersOf(trial, subject, screen, key)
  const before = await hears()
  if (before.get(writer) !== true) return
  const listeners = await Promise.all(
    site.players.map(player => listening(site, player, specified(screen.route)!.pattern)),
  )
  try {
    const wanted = listeners.filter(({ player }) => before.get(player) === true)
    const isTold = () => wanted.every(({ times }) => times > 0)
    // What was written before is told with the first change at the latest.
    for (let waited = 0; waited < patience && !isTold(); waited += again) {
      await write(waited % (2 * again) === 0 ? 'Two' : 'One')
      await until(isTold, again)
    }
    for (const one of listeners) one.times = 0
    const others = await othersThan(trial, subject)
    if (!(await write('Three'))) return
    await until(isTold, patience)
    for (const { broken } of listeners) if (broken !== null) throw broken
    const after = await hears()
    const isAlone = others === (await othersThan(trial, subject))
    const judged = listeners.flatMap(({ player, times }): readonly Told[] => {
      const expected = before.get(player)
      const isCertain = expected != null && expected === after.get(player) && (expected || isAlone)
      return isCertain ? [{ player, isTold: times > 0, expected }] : []
    })
    noteTold(doorOf(trial, 'open pages are told of it by what their reader sees'), key, judged)
    if (judged.some(({ expected }) => !expected)) done.add(shape)
  } finally {
    for (const { end } of listeners) end()
  }
}

interface Told {
  readonly player: Player
  readonly isTold: boolean
  readonly expected: boolean
}

function noteTold(tally: Tally, key: string, all: readonly Told[]): void {
  for (const { player, isTold, expected } of all) {
    tally.tried++
    if (isTold) tally.through++
    if (isTold !== expected)
      tally.wrong.push(`${player.name}: a change of ${key} is ${expected ? 'not ' : ''}told, against what they see`)
  }
}

const isListOf = (screen: Screen, entity: Entity): boolean => {
  const route = specified(screen.route)
  const isList = kindOf(screen)?.isListing === true && specified(screen.shows)?.entity === entity.key
  return isList && route !== null && fieldIn(route) === null
}

/** Who is to be told of a change of this field, on this list. Null: it cannot be told. */
async function hearersOf(trial: Trial, subject: Subject, screen: Screen, key: string) {
  const hearers = new Map<Player, boolean | null>()
  for (const player of trial.site.players) {
    const one = await caseOf(trial, subject, player)
    hearers.set(player, one === null ? null : isHearer(one, screen, key))
  }
  return hearers
}

function isHearer(one: Case, screen: Screen, key: string): boolean | null {
  const opens = opensScreen(one, screen)
  if (opens !== true || !oracle.sees(one)) return opens === null ? null : false
  return oracle.seesField(one, { key }) ? true : null
}

/** All other records: what follows from a change is told as well. */
async function othersThan({ site, entity }: Trial, { id }: Subject): Promise<string> {
  const world = await site.observatory.world(visitor)
  const all = [...site.app.entities.keys()].flatMap(of =>
    world.records(of).flatMap(one => (of === entity.key && one.id === id ? [] : [JSON.stringify(one)])),
  )
  return all.join()
}

async function listening(site: Site, player: Player, address: string): Promise<Listener> {
  const ending = new AbortController()
  const { signal } = ending
  const one: Listener = { player, times: 0, broken: null, end: () => ending.abort() }
  const url = `${site.url}${livePath}?${new URLSearchParams({ at: address })}`
  const open = async () => reachFeed(url, { headers: await site.headersFor(player), signal })
  let feed = await open()
  const hear = async () => {
    while (!signal.aborted && feed.status === 200) {
      for await (const part of feed.parts) if (part.includes('event: written')) one.times++
      // The server ends it after a while, and it is asked for anew, as browsers do.
      await until(() => signal.aborted, again)
      feed = await open()
    }
  }
  hear().catch(error => {
    if (!signal.aborted) one.broken = error
  })
  return one
}

async function until(is: () => boolean, most: number): Promise<void> {
  for (let waited = 0; waited < most && !is(); waited += pause) await new Promise(resolve => setTimeout(resolve, pause))
}
