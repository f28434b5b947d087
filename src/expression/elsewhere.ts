/** What an expression reads of other records than its own: what it gives may change without its record. */
import type { Checked, Path, Source } from './checked.ts'
import { computedRoot, partsOf } from './computed.ts'
import type { Schema } from './type.ts'

export interface Elsewhere {
  readonly entity: string
  /** Null: which records there are. */
  readonly field: string | null
  /** The references that lead there from the own record; null: any record of the entity may be read. */
  readonly via: readonly string[] | null
}

/** Where a name is looked up: `[]` is the record itself, `rows` its child rows, which are written with it. */
type At = readonly string[] | 'rows' | null

/** Each once. */
export function elsewhereOf(root: Checked, schema: Schema): readonly Elsewhere[] {
  const found = new Map<string, Elsewhere>()
  const open = new Set<Checked>()
  const add = (entity: string, field: string | null, at: At) => {
    if (at === 'rows' || at?.length === 0) return
    found.set(`${entity} ${field} ${at?.join('.')}`, { entity, field, via: at })
  }
  const visit = (node: Checked, own: At, about: At): void => {
    if (node.op === 'field') follow(node.path, own, about)
    if (node.op === 'within') add(node.entity, node.parent, null)
    if (!('source' in node)) {
      for (const part of partsOf(node)) visit(part, own, about)
      return
    }
    if (node.op === 'member') visit(node.of, own, about)
    const rows = many(node.source, own, about)
    if (node.op !== 'member') for (const part of partsOf(node)) visit(part, rows, about)
  }
  const many = (source: Source, own: At, about: At): At => {
    if (source.kind === 'list') {
      const holder = follow(source.path, own, about)
      if (source.parent !== null && holder?.length === 0) return 'rows'
      if (source.parent !== null) add(source.entity, null, null)
      return null
    }
    add(source.entity, null, null)
    if (source.live !== undefined) visit(source.live, null, null)
    return null
  }
  /** Gives where the record is whose field the path ends with. */
  const follow = ({ base, steps }: Path, own: At, about: At): At => {
    let at: At = base === 'own' ? own : base === 'this' ? about : null
    for (const [index, { entity, field, computed }] of steps.entries()) {
      add(entity, field, at)
      const root = computed ? computedRoot(schema, entity, field) : null
      if (root !== null && !open.has(root)) {
        open.add(root)
        visit(root, at, at)
        open.delete(root)
      }
      if (index < steps.length - 1) at = computed || at === null || at === 'rows' ? null : [...at, field]
    }
    return at
  }
  visit(root, [], [])
  return [...found.values()]
}
