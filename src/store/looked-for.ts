/**
 * Fields by which expressions look for other records: in `any(Line where booking.day = this.day)` the day of a Booking. Without an index
 * every record would be read for each one that asks.
 */
import type { Cell } from '../document/source.ts'
import type { Checked, Path } from '../expression/checked.ts'
import { partsOf } from '../expression/computed.ts'
import type { App } from '../headings/app.ts'
import { expressionsOf } from '../headings/expressions.ts'

interface LookedFor {
  readonly entity: string
  /** Compared with `=` or `is`, in the order written: fields of the entity itself, none of them computed. */
  readonly fields: readonly string[]
  /** As written, cut. */
  readonly text: string
  readonly cell: Cell
}

const known = new WeakMap<App, readonly LookedFor[]>()

export function lookedFor(app: App): readonly LookedFor[] {
  let found = known.get(app)
  if (found === undefined) {
    found = expressionsOf(app).flatMap(({ root, cell }) => {
      const text = cell.text.length > longest ? `${cell.text.slice(0, longest)}…` : cell.text
      return [...comparedIn(root, 'root'), ...insideOf(root)].map(one => ({ ...one, text, cell }))
    })
    known.set(app, found)
  }
  return found
}

const longest = 80

type Compared = Pick<LookedFor, 'entity' | 'fields'>

function insideOf(node: Checked): readonly Compared[] {
  const isAsked = node.op === 'aggregate' && (node.name === 'any' || node.name === 'none' || node.name === 'all')
  const held = node.op === 'aggregate' ? (node.where ?? (isAsked ? node.value : null)) : null
  return [...(held === null ? [] : comparedIn(held, 'many')), ...partsOf(node).flatMap(insideOf)]
}

/**
 * What must hold of each record that is looked for. At the `root` of an expression one's own fields are those of the record that is asked
 * about, unless they are compared with another one's.
 */
function comparedIn(condition: Checked, place: 'root' | 'many'): readonly Compared[] {
  const fields = new Map<string, { entity: string; fields: string[] }>()
  for (const node of condition.op === 'and' ? condition.parts : [condition]) {
    if (node.op !== 'same' && !(node.op === 'compare' && node.sign === '=')) continue
    for (const [one, other] of [
      [node.left, node.right],
      [node.right, node.left],
    ] as const) {
      const path = ownPath(one)
      if (path === null || !isGiven(other, place)) continue
      const { entity, field } = path.steps.at(-1)!
      const way = path.steps
        .slice(0, -1)
        .map(step => step.field)
        .join('.')
      const group = fields.get(way) ?? { entity, fields: [] }
      if (!group.fields.includes(field)) group.fields.push(field)
      fields.set(way, group)
    }
  }
  return [...fields.values()]
}

function ownPath(node: Checked): Path | null {
  if (node.op !== 'field' || node.path.base !== 'own' || node.path.steps.some(({ computed }) => computed)) return null
  return node.path
}

/** Whether it is known before a record is looked at. A value that the document says itself is one that many records have. */
function isGiven(node: Checked, place: 'root' | 'many'): boolean {
  const bases = basesOf(node)
  if (bases.has('own')) return false
  return place === 'many' ? bases.size > 0 || node.op === 'today' || node.op === 'answer' : bases.has('this')
}

function basesOf(node: Checked): ReadonlySet<string> {
  const inner = partsOf(node).flatMap(part => [...basesOf(part)])
  if (node.op === 'me') return new Set([...inner, 'me'])
  if (node.op === 'field') return new Set([...inner, node.path.base])
  return new Set(inner)
}
