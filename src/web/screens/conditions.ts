/** A condition of the document in the words of its screens, as a clause; what has none is said as it is written. */
import type { Cell } from '../../document/source.ts'
import type { Checked, CheckedNode, Ordered, Path, Source } from '../../expression/checked.ts'
import { parseDuration } from '../../expression/dates.ts'
import { decidedEntity, decisionsNamed } from '../../expression/decisions.ts'
import type { Expression } from '../../expression/expression.ts'
import type { Type, Wire } from '../../expression/type.ts'
import { specified } from '../../headings/specified.ts'
import { keyName } from '../../headings/translate.ts'
import { lengthInWords } from '../../kinds/fields/duration/calendar.ts'
import { conditionsOf } from '../../run/access/why.ts'
import { englishConditions } from '../locales/english-conditions.ts'
import { say } from '../sentences.ts'
import { capital, fieldInfo, type Site } from '../site.ts'
import { thingsOf } from './things.ts'
import { textOf } from './values.ts'

/** `cell`: that of any condition that decides about records of the entity. `whom`: the name of whom it is about; null: whoever reads. */
export function conditionText(site: Site, entity: string, cell: Cell, whom: string | null = null): string {
  const all = [...conditionsOf(site.app, entity), ...creating(site, entity)]
  const found = all.find(expression => expression.cell === cell) ?? all.find(({ cell: { text } }) => text === cell.text)
  return found === undefined ? cell.text : wordsOf(site, entity, found, whom)
}

export const wordsOf = (site: Site, entity: string, { root, cell }: Expression, whom: string | null): string =>
  clauseOf({ site, entity, whom }, root) ?? cell.text

/** What a part of a condition speaks of; null: it has no words. */
export const namedAs = (site: Site, entity: string, node: Checked, whom: string | null): string | null =>
  thingOf({ site, entity, whom }, node) ?? clauseOf({ site, entity, whom }, node)

/** What a condition reads, by its dotted name: `item.category`, `limits.max_open`. */
export function readAs({ app }: Site, entity: string, name: string): string {
  if (name.startsWith('limits.')) return keyName(app, name.slice('limits.'.length))
  let at = entity
  const labels = name.split('.').map(key => {
    const info = fieldInfo(app, at, key)
    at = info?.type.kind === 'reference' ? info.type.entity : ''
    return info?.label ?? key
  })
  return labels.join(': ')
}

const creating = ({ app }: Site, entity: string): readonly Expression[] =>
  (app.access.get(entity)?.rows ?? []).flatMap(({ create }) => {
    const grant = specified(create)
    return grant?.kind === 'when' ? [grant.expression] : []
  })

interface Speaking {
  readonly site: Site
  /** The entity whose record is looked at. */
  readonly entity: string
  readonly whom: string | null
}

/** What is so, where the condition holds: "Borrower is you and State is Draft". */
function clauseOf(to: Speaking, node: Checked): string | null {
  const { site } = to
  switch (node.op) {
    case 'and':
    case 'or': {
      // Both in one sentence could be read in two ways.
      const parts = node.parts.map(part => {
        const clause = clauseOf(to, part)
        return clause !== null && (part.op === 'and' || part.op === 'or') ? `(${clause})` : clause
      })
      const { allOf, anyOf } = site.reader.format
      return told(parts, clauses => (node.op === 'and' ? allOf(clauses) : anyOf(clauses)))
    }
    case 'empty':
      return told([thingOf(to, node.of)], ([field]) => say(site, 'when.empty', { field }))
    case 'not':
      return negated(to, node.of)
    case 'in':
      return compared(to, node.of, node.list, 'when.is')
    case 'same':
      return compared(to, node.left, [node.right], 'when.is')
    case 'compare':
      if (node.sign === '=' || node.sign === '!=')
        return compared(to, node.left, [node.right], node.sign === '=' ? 'when.is' : 'when.not')
      return ordered(to, node)
    case 'between':
      return told(
        [thingOf(to, node.of), comparedWith(to, node.low, node.of), comparedWith(to, node.high, node.of)],
        ([field, low, high]) => say(site, 'when.between', { field, low, high }),
      )
    case 'contains':
    case 'starts':
      return told([thingOf(to, node.left), comparedWith(to, node.right, node.left)], ([field, value]) =>
        say(site, node.op === 'contains' ? 'when.contains' : 'when.starts', { field, value }),
      )
    case 'member':
      if (node.of.op === 'me' && to.whom === null)
        return told([thingsIn(to, node.source, null)], ([things]) => say(site, 'when.meMember', { things }))
      return told([thingOf(to, node.of), thingsIn(to, node.source, null)], ([field, things]) =>
        say(site, 'when.member', { field, things }),
      )
    case 'within':
      return told([thingOf(to, node.of), thingOf(to, node.tree)], ([field, value]) =>
        say(site, 'when.within', { field, value }),
      )
    case 'aggregate':
      return isThere(to, node)
    case 'call':
      return node.name === 'is_open'
        ? withWhose(
            to,
            node,
            told([thingOf(to, node.arguments[0]!)], ([value]) => say(site, 'when.is_open', { value })),
          )
        : null
    case 'field':
    case 'function':
      return told([thingOf(to, node)], ([field]) => say(site, 'when.is', { field, value: site.reader.words('yes') }))
    default:
      return null
  }
}

function negated(to: Speaking, of: Checked): string | null {
  const { site } = to
  if (of.op === 'empty') return told([thingOf(to, of.of)], ([field]) => say(site, 'when.filled', { field }))
  if (of.op === 'in') return compared(to, of.of, of.list, 'when.not')
  if (of.op === 'same') return compared(to, of.left, [of.right], 'when.not')
  if (of.op === 'field')
    return told([thingOf(to, of)], ([field]) => say(site, 'when.is', { field, value: site.reader.words('no') }))
  return told([clauseOf(to, of)], ([condition]) => say(site, 'when.notSo', { condition }))
}

/** A thing and the values that it is one of, or none of. */
function compared(to: Speaking, left: Checked, values: readonly Checked[], how: 'when.is' | 'when.not'): string | null {
  const { site, whom } = to
  const [value] = values
  if (value?.op === 'me' && values.length === 1 && whom === null)
    return told([thingOf(to, left)], ([field]) => say(site, how === 'when.is' ? 'when.me' : 'when.notMe', { field }))
  return told([thingOf(to, left), ...values.map(one => comparedWith(to, one, left))], ([field, ...texts]) =>
    say(site, how, { field, value: site.reader.format.anyOf(texts) }),
  )
}

const days = { '<': 'when.before', '<=': 'when.notAfter', '>': 'when.after', '>=': 'when.notBefore' } as const

function ordered(to: Speaking, { sign, left, right }: CheckedNode<'compare'>): string | null {
  if (sign === '=' || sign === '!=') return null
  const isTime = left.type.kind === 'date' || left.type.kind === 'moment' || left.type.kind === 'time'
  return told([thingOf(to, left), comparedWith(to, right, left)], ([field, value]) =>
    say(to.site, isTime ? days[sign] : `when.${sign}`, { field, value }),
  )
}

function isThere(to: Speaking, node: CheckedNode<'aggregate'>): string | null {
  const { site } = to
  const { name, source, value, where } = node
  const held = value ?? where
  if (held === null || (value !== null && where !== null)) return null
  if (name === 'any' || name === 'none')
    return told([thingsIn(to, source, held)], ([things]) => say(site, `when.${name}`, { things }))
  return name === 'all'
    ? told([thingsIn(to, source, null), clauseOf({ ...to, entity: source.entity }, held)], ([things, condition]) =>
        say(site, 'when.all', { things, condition }),
      )
    : null
}

/** Rows of a list, or records of an entity, as many of them as a condition leaves. */
function thingsIn(to: Speaking, source: Source, where: Checked | null): string | null {
  const { site } = to
  const decided = decidedEntity(source.entity)
  if (decided !== null) return decisionsIn(to, decided, source.entity, where)
  const named = source.kind === 'list' ? pathOf(to, source.path) : thingsOf(site, source.entity)
  const all =
    named !== null && source.kind === 'records' && source.other ? say(site, 'when.others', { things: named }) : named
  if (where === null) return all
  return told([all, clauseOf({ ...to, entity: source.entity }, where)], ([things, condition]) =>
    say(site, 'when.where', { things, condition }),
  )
}

/** Decisions about a step, or for an approval. */
function decisionsIn(to: Speaking, decided: string, entity: string, where: Checked | null): string | null {
  const { site } = to
  const { key, rest } = decisionsNamed(where)
  const { transitions, approvals } = site.app.workflows.get(decided)!
  const of = [...transitions, ...approvals].find(one => one.key === key)
  if (of === undefined) return null
  const decisions = say(site, 'when.decisions', { of: of.name })
  if (rest.length === 0) return decisions
  const clauses = rest.map(part => clauseOf({ ...to, entity }, part))
  return told(clauses, all => say(site, 'when.where', { things: decisions, condition: site.reader.format.allOf(all) }))
}

/** What has a value, as a person calls it: "Customer: City", "the number of lines", "today". */
function thingOf(to: Speaking, node: Checked): string | null {
  const { site, whom } = to
  const { allOf } = site.reader.format
  switch (node.op) {
    case 'field':
      return pathOf(to, node.path)
    case 'me':
      return whom ?? say(site, 'when.you')
    case 'today':
    case 'now':
      return say(site, `when.${node.op}`)
    case 'limit':
      return keyName(site.app, node.name)
    case 'limit on':
      return told([thingOf(to, node.day)], ([day]) =>
        say(site, 'when.on', { field: keyName(site.app, node.name), day }),
      )
    case 'literal':
      return literal(site, node.value, node.type)
    case 'negate':
      return told([thingOf(to, node.of)], ([of]) => `-${of}`)
    case 'arithmetic':
    case 'shift':
    case 'difference':
    case 'concat':
      return sumOf(to, node)
    case 'times':
      return told([thingOf(to, node.by), thingOf(to, node.of)], ([by, of]) => `${by} × ${of}`)
    case 'call': {
      const given = node.closed === undefined ? node.arguments : node.arguments.slice(0, -1)
      const values = given.map(part => comparedWith(to, part, node))
      const key = `function.${node.name}`
      const text = isFunction(key)
        ? told(values, texts => say(site, key, { values: allOf(texts), first: texts[0]!, second: texts[1] ?? '' }))
        : null
      return withWhose(to, node, text)
    }
    case 'function': {
      const name = capital((site.app.functions.get(node.name)?.name ?? node.name).replaceAll('_', ' '))
      return node.arguments.length === 0
        ? name
        : told(
            node.arguments.map(part => thingOf(to, part)),
            texts => say(site, 'when.of', { name, value: allOf(texts) }),
          )
    }
    case 'aggregate':
      return figureOf(to, node)
    default:
      return null
  }
}

type Sum = Exclude<Extract<Checked, { readonly left: Checked }>, CheckedNode<'compare' | 'same'>>

/** "Price − discount", "due date + 3 days". */
function sumOf(to: Speaking, node: Sum): string | null {
  const sign = 'sign' in node ? node.sign : node.op === 'difference' ? '-' : '+'
  // What is added looks like the sum; days are added to a date.
  const isAdded = node.op === 'arithmetic' && (node.sign === '+' || node.sign === '-')
  const side = (part: Checked) => {
    const isDays = node.op === 'shift' && part.op === 'literal' && part.type.kind === 'integer'
    const text = isDays
      ? lengthInWords({ months: 0, days: Number(part.value), milliseconds: 0 }, to.site.reader.locale)
      : comparedWith(to, part, isAdded ? node : part)
    return text !== null && compound.has(part.op) ? `(${text})` : text
  }
  return told([side(node.left), side(node.right)], ([left, right]) => `${left} ${signs[sign]} ${right}`)
}

/** "The number of lines", "the latest value of readings". */
function figureOf(to: Speaking, { name, source, value, where, order }: CheckedNode<'aggregate'>): string | null {
  const { site } = to
  const things = thingsIn(to, source, where)
  const inside = { ...to, entity: source.entity }
  if (name === 'count' && value === null) return told([things], ([all]) => say(site, 'when.count', { things: all }))
  if (name === 'first' && order?.length === 1) {
    const [{ of: key, down }] = order as readonly [Ordered]
    return told([things, thingOf(inside, value!), thingOf(inside, key)], ([all, of, by]) =>
      say(site, down ? 'when.latest' : 'when.first', { things: all, value: of, order: by }),
    )
  }
  if (value === null || (name !== 'sum' && name !== 'min' && name !== 'max')) return null
  return told([things, thingOf(inside, value)], ([all, of]) => say(site, `when.${name}`, { things: all, value: of }))
}

const signs = { '+': '+', '-': '−', '*': '×', '/': '÷' } as const
const compound: ReadonlySet<Checked['op']> = new Set(['arithmetic', 'shift', 'difference', 'concat'])

type FunctionKey = Extract<Parameters<typeof say>[1], `function.${string}`>

/** Of a function that counts the closed days of one record, with whose they are. */
function withWhose(to: Speaking, node: CheckedNode<'call'>, text: string | null): string | null {
  if (node.closed === undefined) return text
  const whose = thingOf(to, node.arguments.at(-1)!)
  return told([text, whose], ([value, of]) => say(to.site, 'when.whose', { value, whose: of }))
}

const isFunction = (key: string): key is FunctionKey => key in englishConditions

/** What something is compared with: written values look as those of the thing do. */
const comparedWith = (to: Speaking, node: Checked, beside: Checked): string | null =>
  node.op === 'literal' ? literal(to.site, node.value, beside.type) : thingOf(to, node)

function literal(site: Site, value: Wire, type: Type): string | null {
  if (value === null) return null
  const length = type.kind === 'duration' ? parseDuration(String(value)) : null
  if (length !== null) return lengthInWords(length, site.reader.locale)
  return textOf(site, '', { key: '', label: '', type, field: null, cell: null }, value)
}

/** Null where one of them has no words. */
function told<const Parts extends readonly (string | null)[]>(
  parts: Parts,
  tell: (texts: { readonly [Place in keyof Parts]: string }) => string,
): string | null {
  return parts.includes(null) ? null : tell(parts as { readonly [Place in keyof Parts]: string })
}

function pathOf({ site, whom }: Speaking, { base, steps }: Path): string | null {
  if (base === 'this' && steps.length === 1 && steps[0]!.field === 'id') return say(site, 'when.thisRecord')
  const labels = steps.map(({ entity, field }) => fieldInfo(site.app, entity, field)?.label ?? null)
  return told(labels, all => {
    const field = all.join(': ')
    switch (base) {
      case 'own':
      case 'named':
      case 'self':
        return field
      case 'this':
        return say(site, 'when.this', { field })
      case 'old':
        return say(site, 'when.before change', { field })
      case 'me':
        return whom === null ? say(site, 'when.yours', { field }) : say(site, 'when.theirs', { field, person: whom })
    }
  })
}
