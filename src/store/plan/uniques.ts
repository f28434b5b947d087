/** Whether a table of another application keeps unique what the document has unique: by a key, a constraint or an index of its own. */
import { quoted } from '../names.ts'
import type { Index } from '../physical.ts'
import { literalsIn, ofKind, spelling, type Taken } from './foreign.ts'

/** Values that no two records have, or of those for which `where` holds. */
export type Unique = Pick<Index, 'columns' | 'nullsAlike' | 'where'>

/** The columns that it goes by and that its condition speaks of. */
export function speaksOf({ table }: Taken, { columns, where }: Unique): readonly string[] {
  const inCondition = table.columns.filter(({ name }) => where?.includes(quoted(name)))
  return [...columns, ...inCondition].map(({ name }) => name)
}

/** Something stricter will do. */
export function keepsUnique(one: Taken, wanted: Unique): boolean {
  const names = wanted.columns.map(({ name }) => one.columns.get(name)?.name)
  const without = wanted.columns.flatMap(column => (column.without == null ? [] : [column]))
  return heldBy(one).some(
    held =>
      [...held.columns].sort().join() === [...names].sort().join() &&
      without.every(column => column.without === 'case' && isInSmall(one, column.name, held)) &&
      (wanted.nullsAlike !== true || held.nullsAlike || wanted.columns.every(({ name }) => isFilled(one, name))) &&
      (held.where === null || (wanted.where !== null && leavesOutNoMore(one, wanted.where, held.where))),
  )
}

interface Held {
  readonly columns: readonly string[]
  readonly inSmall: readonly string[]
  readonly nullsAlike: boolean
  readonly where: string | null
}

function heldBy({ foreign }: Taken): readonly Held[] {
  const keys = [...ofKind(foreign, 'p'), ...ofKind(foreign, 'u')].map(({ columns, text }) => {
    return { columns, inSmall: [], nullsAlike: text.includes('NULLS NOT DISTINCT'), where: null }
  })
  return [...keys, ...[...foreign.indexes.values()].filter(({ unique, valid }) => unique && valid)]
}

const isFilled = ({ columns }: Taken, name: string): boolean => columns.get(name)!.notNull

function isInSmall({ columns }: Taken, name: string, { inSmall }: Held): boolean {
  const old = columns.get(name)!
  return inSmall.includes(old.name) || /(?:^|\.)citext$/.test(old.type)
}

/** Two conditions in different words are alike as far as columns and texts go: theirs has none that ours has not. */
function leavesOutNoMore({ foreign, columns }: Taken, ours: string, theirs: string): boolean {
  const said = new Set(literalsIn(ours).map(spelling))
  const known = [...columns].flatMap(([name, old]) => (ours.includes(quoted(name)) ? [old.name] : []))
  return (
    namesIn(theirs).every(name => known.includes(name) || !foreign.columns.has(name)) &&
    literalsIn(theirs).every(text => said.has(spelling(text)))
  )
}

/** Of columns and functions, and not of the types that values are cast to. */
function namesIn(condition: string): readonly string[] {
  const bare = condition.replaceAll(/'(?:[^']|'')*'/g, ' ').replaceAll(/::(?:"[^"]+"|\w+)/g, ' ')
  return [...bare.matchAll(/"((?:[^"]|"")+)"|\w+/g)].map(([word, name]) => name?.replaceAll('""', '"') ?? word)
}
