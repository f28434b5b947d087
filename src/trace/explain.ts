/**
 * `ninefold explain`: why something is as it is. For a rule, a step, a field, a permission, a role, a call, a mail, an error,
 * a constant or a screen: the line that decides it, what it reads, and where it is enforced. A reader of the App, nothing else.
 */

import { nearest } from '../document/nearest.ts'
import type { Constant } from '../headings/9-limits/model.ts'
import type { App, Assumption } from '../headings/app.ts'
import type { CodeFunction } from '../headings/code/model.ts'
import { isUnspecified, specified } from '../headings/specified.ts'
import { dutyThings, roleThing } from './explain-access.ts'
import { entityThings } from './explain-entity.ts'
import { outwardThings } from './explain-outward.ts'
import { ruleThing } from './explain-rules.ts'
import { screenThing } from './explain-screen.ts'
import { workflowThings } from './explain-workflow.ts'
import { frame, place, type Thing } from './words.ts'

type Explained = { readonly lines: readonly string[] } | { readonly unknown: true; readonly nearest: string | null }

/** The lines about everything that answers to a name; else the nearest name there is. */
export function explain(app: App, asked: string): Explained {
  const things = thingsOf(app)
  const found = thingsNamed(things, asked)
  if (found.length === 0) {
    const names = things.flatMap(thing => thing.names)
    return { unknown: true, nearest: nearest(asked, names) }
  }
  return {
    lines: found.flatMap((thing, index) => [
      ...(index === 0 ? [] : ['']),
      ...frame(thing.title, thing.cell),
      ...thing.lines(),
    ]),
  }
}

/** Those that answer to a name. */
export function thingsNamed(things: readonly Thing[], asked: string): readonly Thing[] {
  const wanted = folded(asked)
  return things.filter(({ names }) => names.some(name => folded(name) === wanted))
}

const folded = (name: string) => name.trim().toLowerCase().replaceAll('_', ' ').replace(/\s+/g, ' ')

/** Everything that has a name in the document. */
export function thingsOf(app: App): Thing[] {
  return [
    ...[...app.entities.values()].flatMap(entity => entityThings(app, entity)),
    ...workflowThings(app),
    ...[...app.functions.values()].map(code => functionThing(app, code)),
    ...app.rules.map(rule => ruleThing(app, rule)),
    ...[...app.roles.values()].map(role => roleThing(app, role)),
    ...[...app.limits.values()].map(constant => constantThing(app, constant)),
    ...app.screens.map(screenThing),
    ...outwardThings(app),
    ...dutyThings(app),
    ...app.assumptions.map(assumptionThing),
  ]
}

function functionThing(app: App, { name, cell, file }: CodeFunction): Thing {
  return {
    names: [name],
    title: `function ${name}`,
    cell,
    lines: () => [
      file === null ? '  Its code is left open: what it gives is unknown.' : `  Decided by TypeScript: ${file.path}.`,
      '  Runs on the server only, on the values that it is given; if it fails, what it gives is unknown, and the log says so.',
      ...app.inCode
        .filter(({ asks }) => asks.includes(name))
        .map(({ cell }) => `  Asked at ${place(cell)}: \`${cell.text}\`.`),
    ],
  }
}

function constantThing(app: App, constant: Constant): Thing {
  return {
    names: [constant.key, `limits.${constant.key}`],
    title: `constant ${constant.key}`,
    cell: constant.cell,
    lines: () => [
      `  ${isUnspecified(constant.value) ? 'Its value is unspecified: what reads it is unknown, so a guard stays closed and a rule is not applied.' : `The document says ${constant.value.wire}${constant.unit === null ? '' : ` ${constant.unit.text}`}; the running application may hold a newer value.`}`,
      ...constant.later.map(({ cell, since, wire }) => `  From ${since} on: ${wire} (${place(cell)}).`),
      ...(constant.onDays ? ['  Read as it is on a given day: earlier and later values are kept.'] : []),
      `  Who may change it: ${constant.change === 'fixed' ? 'nobody, only the document' : (specified(constant.change)?.roles.join(', ') ?? 'unspecified, so nobody')}${constant.change === 'fixed' || app.product.tenant === null ? '' : '; who belongs to a tenant changes it for that tenant only'}.`,
    ],
  }
}

function assumptionThing(assumption: Assumption): Thing {
  return {
    names: [assumption.name],
    title: `assumption ${assumption.name}`,
    cell: assumption.cell,
    lines: () => [
      `  ${assumption.what}`,
      assumption.accepted === null
        ? `  Not accepted yet: say it under heading ${assumption.section}, or accept it with - **Assume:** ${assumption.name}`
        : `  Accepted at ${place(assumption.accepted)}.`,
    ],
  }
}
