/** Names and paths: whose field a name is, and what a path over references gives. */
import { nearest } from '../document/nearest.ts'
import type { Ast, Name, TextRange } from './ast.ts'
import type { Base, Checked, Path, Step } from './checked.ts'
import { type Checking, FAILED, failed, pathText, type Room, wordsOf } from './checking.ts'
import { computedOf, mayBeEmpty } from './computed.ts'
import { isVaried } from './currency.ts'
import { writeInstead } from './reports.ts'
import type { LimitShape } from './scope.ts'
import { type EntityShape, type FieldShape, namesIn, type Type } from './type.ts'

/** References that a path may follow. */
const MOST_STEPS = 3

const words = ['me', 'my', 'today', 'now', 'limits', 'asked', 'old', 'this'] as const

/** A name or a path: a field, `me`, `today`, a constant, a setting; each step of a path must be a reference. */
export function checkPath(checking: Checking, ast: Extract<Ast, { kind: 'path' }>, room: Room, hint?: Type): Checked {
  const [first, ...rest] = ast.names as readonly [Name, ...Name[]]
  const word = checkWord(checking, first, rest, room)
  if (word !== null) return word
  if (/^[A-Z]/.test(first.text)) return recordsAlone(checking, first)
  const { scope } = checking
  // Inside of `where`, bare names are the other record's first.
  if (room.own?.fields.has(first.text)) return follow(checking, room.own, 'own', ast.names, room)
  const named = scope.schema.get(scope.records?.get(first.text) ?? '')
  if (named !== undefined) return followNamed(checking, named, first, rest, room)
  const local = scope.locals?.get(first.text)
  if (local !== undefined) return checkLocal(checking, local, first, rest, room)
  if (first.text === scope.naming && scope.self !== null)
    return followNamed(checking, scope.self, first, rest, room, room.own === scope.self ? 'own' : 'self')
  if (room.own !== null) return noSuchName(checking, first, rest, room, hint)
  const asks = whoAsks(checking, `my.${first.text}`)
  return unknownHere(checking, first, `: there is no record whose field it could be${asks}`)
}

/** What begins with a word of the language; null where it is a name like any other. */
function checkWord(checking: Checking, first: Name, rest: readonly Name[], room: Room): Checked | null {
  const { scope } = checking
  const isField = room.own?.fields.has(first.text) === true
  switch (first.text) {
    case 'today':
    case 'now': {
      const type: Type = { kind: first.text === 'today' ? 'date' : 'moment' }
      return rest.length > 0 ? notFollowed(checking, first, type) : { op: first.text, type, optional: false }
    }
    case 'me':
    case 'my':
      return checkPerson(checking, first, rest, room)
    case 'limits':
      return checkLimit(checking, first, rest, room)
    case 'asked':
      return scope.asked !== undefined || !isField ? checkAsked(checking, first, rest, room) : null
    case 'settings':
      return checkSetting(checking, first, rest, room)
    case 'answer':
      return scope.answer || !isField ? checkAnswer(checking, first, rest, room) : null
    case 'old':
      if (!scope.old || scope.self === null)
        return unknownHere(checking, first, ': only a change has a record before it')
      if (rest.length === 0) return missing(checking, first, 'a field, after a dot,')
      return checkOld(checking, first, follow(checking, scope.self, 'old', rest, room))
    case 'this':
      if (room.about === null)
        return unknownHere(checking, first, `: there is no record that this is about${whoAsks(checking, 'me')}`)
      return rest.length > 0 ? follow(checking, room.about, room.same ? 'own' : 'this', rest, room) : thisRecord(room)
    default:
      return null
  }
}

function checkAnswer(checking: Checking, first: Name, rest: readonly Name[], room: Room): Checked {
  if (!checking.scope.answer) return unknownHere(checking, first, ': it is what a call answers')
  if (rest.length === 0) return missing(checking, first, 'the name of what is answered, after a dot,')
  const name = rest.map(({ text }) => text).join('.')
  return { op: 'answer', name, type: { kind: 'text' }, optional: !room.known.has(`answer.${name}`) }
}

/** `order` behind `for each order in …`, or a field of it. */
function followNamed(
  checking: Checking,
  of: EntityShape,
  first: Name,
  rest: readonly Name[],
  room: Room,
  base: 'named' | 'self' | 'own' = 'named',
): Checked {
  const itself: Name = { ...first, text: 'id' }
  return follow(checking, of, base, rest.length === 0 ? [itself] : rest, room, base === 'own' ? undefined : first.text)
}

/** What `let` has given a name: a record, or a value that the back ends know as `limits.let.<name>`. */
function checkLocal(
  checking: Checking,
  { type, optional }: LimitShape,
  first: Name,
  rest: readonly Name[],
  room: Room,
): Checked {
  if (type.kind === 'error') return FAILED
  const of = type.kind === 'reference' ? checking.scope.schema.get(type.entity) : undefined
  if (of === undefined) {
    if (rest.length > 0) return notFollowed(checking, first, type)
    const name = `let.${first.text}`
    return { op: 'limit', name, type, optional: optional && !room.known.has(`limits.${name}`) }
  }
  const found = followNamed(checking, of, first, rest, room)
  if (found.op !== 'field' || !optional || room.known.has(`${first.text}.id`)) return found
  return { ...found, optional: !room.known.has(pathText(found.path)) }
}

/** The record that the rule is about, as a reference. */
function thisRecord(room: Room): Checked {
  const { key } = room.about!
  const step: Step = { entity: key, field: 'id', to: null, parent: false, computed: false }
  const path = { base: room.same ? ('own' as const) : ('this' as const), steps: [step] }
  return { op: 'field', path, type: { kind: 'reference', entity: key }, optional: false }
}

/** Follows names from a record; `name` is that of one that is `named`. A list on the way gives one value per row. */
export function follow(
  checking: Checking,
  start: EntityShape,
  base: Base,
  names: readonly Name[],
  room: Room,
  name?: string,
): Checked {
  const { schema } = checking.scope
  const from = { base, ...(name !== undefined && { name }) }
  const steps: Step[] = []
  let entity = start
  let optional = false
  for (const [index, step] of names.entries()) {
    const field = entity.fields.get(step.text)
    if (field === undefined) return noSuchField(checking, step, entity)
    const { type } = field
    const last = index === names.length - 1
    const parent = entity.parent === field.key
    const to = !last && type.kind === 'reference' ? type.entity : null
    steps.push({ entity: entity.key, field: field.key, to, parent, computed: field.computed !== undefined })
    if (steps.length - 1 > MOST_STEPS) {
      const place = { from: names[0]!.from, to: names.at(-1)!.to }
      checking.report('N0217', place, { count: names.length - 1, most: MOST_STEPS })
      return FAILED
    }
    const path = { ...from, steps }
    optional ||= mayBeEmpty(field) && !room.known.has(pathText(path))
    if (type.kind === 'error') return FAILED
    if (type.kind === 'secret') return neverRead(checking, step)
    if (type.kind === 'list')
      return rowsOf(checking, entity, field, { ...from, steps }, names.slice(index + 1), step, room.rowsOfRows)
    if (last)
      return { op: 'field', path, type: seenFrom(type, path), optional: optional && !room.known.has(pathText(path)) }
    const next = type.kind === 'reference' ? schema.get(type.entity) : undefined
    if (next === undefined) return notFollowed(checking, step, type)
    entity = next
  }
  return FAILED
}

/** The currency of an amount stands in the record that has the amount, or is reached from there. */
function seenFrom(type: Type, { steps, ...from }: Path): Type {
  if (!isVaried(type) || type.currency.of === '') return type
  const way = pathText({ ...from, steps: steps.slice(0, -1) })
  return { ...type, currency: { of: `${way}${steps.length > 1 ? '.' : ''}${type.currency.of}` } }
}

function neverRead(checking: Checking, name: Name): Checked {
  checking.report('N0232', name, { name: name.text })
  return FAILED
}

/** A list, or one value of each of its rows. */
function rowsOf(
  checking: Checking,
  owner: EntityShape,
  field: FieldShape,
  path: Path,
  names: readonly Name[],
  listName: Name,
  rowsOfRows: true | undefined,
): Checked {
  const type = field.type as Extract<Type, { kind: 'list' }>
  const rows = checking.scope.schema.get(type.entity)
  if (rows === undefined) return FAILED
  const back = rows.parent === undefined ? undefined : rows.fields.get(rows.parent)?.type
  const isChild = back?.kind === 'reference' && back.entity === owner.key
  const source = { kind: 'list', path, entity: rows.key, parent: isChild ? rows.parent! : null } as const
  if (names.length === 0) return { op: 'values', source, value: recordItself(rows), type, optional: false }
  const inside: Room = {
    own: rows,
    about: null,
    same: false,
    known: new Set(),
    negated: false,
    around: null,
    not: null,
    ...(rowsOfRows && { rowsOfRows }),
  }
  const value = follow(checking, rows, 'own', names, inside)
  if (value.op === 'values' && rowsOfRows === undefined) {
    checking.report('N0219', names[0]!, { name: `${listName.text}.${names.map(({ text }) => text).join('.')}` })
    return FAILED
  }
  if (value.type.kind === 'error') return FAILED
  if (value.op === 'values') return { op: 'values', source, value, type: value.type, optional: false }
  return { op: 'values', source, value, type: { kind: 'values', of: value.type }, optional: false }
}

/** A record as a value: its id. */
export function recordItself(entity: EntityShape): Checked {
  const step: Step = { entity: entity.key, field: 'id', to: null, parent: false, computed: false }
  return {
    op: 'field',
    path: { base: 'own', steps: [step] },
    type: { kind: 'reference', entity: entity.key },
    optional: false,
  }
}

function checkPerson(checking: Checking, first: Name, rest: readonly Name[], room: Room): Checked {
  const { me } = checking.scope
  if (me === null) return unknownHere(checking, first, ': nobody is signed in')
  const isMe = first.text === 'me'
  if (isMe && rest.length === 0) return { op: 'me', type: { kind: 'reference', entity: me.key }, optional: false }
  if (isMe || rest.length === 0) {
    const instead = isMe ? 'my' : 'me'
    checking.report('N0103', first, { word: first.text, instead }, [writeInstead(first, instead)])
    return FAILED
  }
  return follow(checking, me, 'me', rest, room)
}

function checkLimit(checking: Checking, first: Name, rest: readonly Name[], room: Room): Checked {
  const [name, ...further] = rest
  if (name === undefined) return missing(checking, first, 'the name of a constant, after a dot,')
  const limit = checking.scope.limits.get(name.text)
  if (limit === undefined) {
    const meant = nearest(name.text, checking.scope.limits.keys())
    checking.report('N0203', name, { name: name.text, meant: meantText(meant) }, fixTo(name, meant))
    return FAILED
  }
  if (further.length > 0) return notFollowed(checking, name, limit.type)
  const type = limit.type.kind === 'error' ? openType(checking, name.text) : limit.type
  if (type.kind === 'error') return FAILED
  const optional = limit.optional && !room.known.has(`limits.${name.text}`)
  return { op: 'limit', name: name.text, type, optional }
}

/** What a constant that says nothing of its type is taken to be here; that it was asked for is noted. */
function openType({ open }: Checking, name: string): Type {
  if (!open.has(name)) open.set(name, { kind: 'error' })
  return open.get(name)!
}

/** `limits.rate on invoiced_on`: empty where the day is. */
export function checkDated(checking: Checking, { of, day }: Extract<Ast, { kind: 'dated' }>, room: Room): Checked {
  const limit = checkPath(checking, of, room)
  const at = checking.check(day, { ...room, around: null, not: null }, { kind: 'date' })
  if (failed(limit, at)) return FAILED
  if (limit.op !== 'limit') return FAILED
  if (at.type.kind !== 'date') {
    checking.report('N0213', day, { found: wordsOf(checking, at.type), expected: 'a date' })
    return FAILED
  }
  const { name, type } = limit
  return { op: 'limit on', name, day: at, type, optional: limit.optional || at.optional }
}

/** What the reader of a report is asked: a constant that the reader sets, and known to the back ends as `limits.asked.<name>`. */
function checkAsked(checking: Checking, first: Name, rest: readonly Name[], room: Room): Checked {
  const { asked } = checking.scope
  if (asked === undefined) return unknownHere(checking, first, ': only a report asks its reader for something')
  const [name, ...further] = rest
  if (name === undefined) return missing(checking, first, 'the name of what is asked, after a dot,')
  const found = asked.get(name.text)
  if (found === undefined) {
    const meant = nearest(name.text, asked.keys())
    checking.report('N0240', name, { name: name.text, meant: meantText(meant) }, fixTo(name, meant))
    return FAILED
  }
  if (further.length > 0) return notFollowed(checking, name, found.type)
  if (found.type.kind === 'error') return FAILED
  const key = `asked.${name.text}`
  return { op: 'limit', name: key, type: found.type, optional: found.optional && !room.known.has(`limits.${key}`) }
}

function checkSetting(checking: Checking, first: Name, rest: readonly Name[], room: Room): Checked {
  const { settings } = checking.scope
  if (settings === undefined) return unknownHere(checking, first, ': settings belong to calls')
  const [name, ...further] = rest
  if (name === undefined) return missing(checking, first, 'the name of a setting, after a dot,')
  if (settings !== 'any' && !settings.has(name.text)) {
    const meant = nearest(name.text, settings)
    checking.report('N0205', name, { name: name.text, meant: meantText(meant) }, fixTo(name, meant))
    return FAILED
  }
  if (further.length > 0) return notFollowed(checking, name, { kind: 'text' })
  const optional = settings === 'any' && !room.known.has(`setting.${name.text}`)
  return { op: 'setting', name: name.text, type: { kind: 'text' }, optional }
}

/** What a record was before is known of its stored fields only. */
function checkOld(checking: Checking, first: Name, value: Checked): Checked {
  if (value.type.kind === 'error') return value
  const path = value.op === 'field' ? value.path : null
  const step = path?.steps[0]
  const field = step === undefined ? undefined : checking.scope.self?.fields.get(step.field)
  const tier = field === undefined ? 0 : (computedOf(field)?.tier ?? 0)
  if (path !== null && tier < 2) return value
  checking.report('N0226', first, { name: path === null ? 'old' : pathText(path) })
  return FAILED
}

function noSuchName(checking: Checking, name: Name, rest: readonly Name[], room: Room, hint?: Type): Checked {
  const { scope } = checking
  if (hint?.kind === 'choice' && rest.length === 0) {
    const meant = hint.options.find(option => option.toLowerCase().replaceAll(' ', '_') === name.text.toLowerCase())
    if (meant !== undefined) {
      checking.report('N0207', name, { name: name.text, known: optionsText(hint.options) }, [
        writeInstead(name, choiceText(meant)),
      ])
      return FAILED
    }
  }
  const outer = room.same ? undefined : room.about?.fields.get(name.text)
  if (outer !== undefined) {
    const meant = `this.${name.text}`
    const where = ` in ${room.own!.name}`
    checking.report('N0201', name, { name: name.text, where, meant: meantText(meant), known: '' }, fixTo(name, meant))
    return FAILED
  }
  const isConstant = scope.limits.has(name.text)
  const meant = isConstant ? `limits.${name.text}` : nearest(name.text, namesAt(checking, room.own!))
  const where = room.own === scope.self ? '' : ` in ${room.own!.name}`
  const known = meant === null ? fieldsText(room.own!) : ''
  checking.report('N0201', name, { name: name.text, where, meant: meantText(meant), known }, fixTo(name, meant))
  return FAILED
}

function* namesAt({ scope }: Checking, own: EntityShape): Iterable<string> {
  yield* namesIn(own)
  yield* scope.locals?.keys() ?? []
  yield* words
}

function noSuchField(checking: Checking, name: Name, entity: EntityShape): Checked {
  const meant = nearest(name.text, namesIn(entity))
  const where = entity === checking.scope.self ? '' : ` in ${entity.name}`
  const known = meant === null ? fieldsText(entity) : ''
  checking.report('N0201', name, { name: name.text, where, meant: meantText(meant), known }, fixTo(name, meant))
  return FAILED
}

/** "Fields of Loan are `number`, `due_back`. " Of people, whom a document need not describe, it says where more are declared. */
function fieldsText(shape: EntityShape): string {
  const { key, name } = shape
  const keys = namesIn(shape)
    .slice(0, mostNamed + 2)
    .filter(key => key !== 'id')
  const shown = keys.slice(0, mostNamed).map(key => `\`${key}\``)
  const more = key === 'person' ? 'A table below `### Person` under heading 3 adds others. ' : ''
  return keys.length === 0
    ? more
    : `Fields of ${name} are ${shown.join(', ')}${keys.length > mostNamed ? ' and more' : ''}. ${more}`
}

const mostNamed = 12

/** `Loan` or `Loan.value` outside of an aggregate. */
function recordsAlone(checking: Checking, name: Name): Checked {
  const entity = checking.scope.schema.get(name.text.toLowerCase())
  if (entity !== undefined) checking.report('N0219', name, { name: name.text })
  else noSuchEntity(checking, name)
  return FAILED
}

/** Reports an unknown entity (`N0204`), with the nearest name as its fix. */
export function noSuchEntity(checking: Checking, name: Name): void {
  const known = [...checking.scope.schema.values()].map(entity => entity.name.replaceAll(' ', '_'))
  const meant = nearest(name.text, known)
  checking.report('N0204', name, { name: name.text, meant: meantText(meant) }, fixTo(name, meant))
}

function notFollowed(checking: Checking, name: Name, type: Type): Checked {
  if (type.kind !== 'error') checking.report('N0218', name, { name: name.text, found: wordsOf(checking, type) })
  return FAILED
}

/** Where nothing but the person is known. */
const whoAsks = ({ scope }: Checking, name: string): string =>
  scope.me === null ? '' : `; of whoever asks it is \`${name}\``

function unknownHere(checking: Checking, name: Name, why: string): Checked {
  checking.report('N0220', name, { name: name.text, why })
  return FAILED
}

function missing(checking: Checking, after: TextRange & { readonly text: string }, what: string): Checked {
  checking.report('N0102', after, { word: after.text, expected: what })
  return FAILED
}

export const meantText = (meant: string | null): string => (meant === null ? '' : `; did you mean \`${meant}\`?`)

export const fixTo = (place: TextRange, meant: string | null) => (meant === null ? [] : [writeInstead(place, meant)])

/** A choice as it is written in an expression. */
export const choiceText = (option: string): string => (/^[A-Z][A-Za-z0-9_]*$/.test(option) ? option : `"${option}"`)

const optionsText = (options: readonly string[]): string => options.join(', ')
