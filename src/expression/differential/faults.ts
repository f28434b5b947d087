/**
 * Mistakes of the kinds that back ends really have, put into one of them on purpose: the differential test must see each one,
 * or it proves nothing.
 */
import type { Checked } from '../checked.ts'
import type { Given } from '../evaluate.ts'
import type { Type, Wire } from '../type.ts'

export interface Fault {
  readonly name: string
  /** JavaScript: a wrong tree in place of the right one. */
  readonly tree?: (node: Checked) => Checked
  /** JavaScript: a wrong result. */
  readonly result?: (wire: Wire, type: Type) => Wire
  /** SQL: a wrong text. */
  readonly text?: (text: string) => string
}

/** Functions that faulty trees call. */
export const faultyFunctions: Readonly<Record<string, (...values: readonly Given[]) => Wire>> = {
  utf16_length: text => String((text as string).length),
}

export const faults: readonly Fault[] = [
  {
    name: 'JavaScript takes unknown for false',
    result: (wire, type) => wire ?? (type.kind === 'yes/no' ? false : null),
  },
  {
    name: 'JavaScript takes `<` for `<=`',
    tree: everywhere(node => (node.op === 'compare' && node.sign === '<' ? { ...node, sign: '<=' } : node)),
  },
  {
    name: 'JavaScript rounds quotients to nine places',
    tree: everywhere(node => {
      if (node.op !== 'arithmetic' || node.sign !== '/' || node.type.kind === 'duration') return node
      const places: Checked = { op: 'literal', value: '9', type: { kind: 'integer' }, optional: false }
      return { op: 'call', name: 'round', arguments: [node, places], type: node.type, optional: node.optional }
    }),
  },
  {
    name: 'JavaScript holds `all` of nothing for false',
    tree: everywhere(node => {
      if (node.op !== 'aggregate' || node.name !== 'all') return node
      return {
        op: 'and',
        parts: [node, { ...node, name: 'any', where: null, value: null }],
        type: node.type,
        optional: false,
      }
    }),
  },
  {
    name: 'JavaScript takes the last of several for the first',
    tree: everywhere(node =>
      node.op === 'aggregate' && node.order !== undefined
        ? { ...node, order: node.order.map(({ of, down }) => ({ of, down: !down })) }
        : node,
    ),
  },
  {
    name: 'JavaScript counts the characters of a text in UTF-16',
    tree: everywhere(node =>
      node.op === 'call' && node.name === 'length' ? { ...node, op: 'function', name: 'utf16_length' } : node,
    ),
  },
  {
    name: 'JavaScript reads the new record where the old one is meant',
    tree: everywhere(node =>
      node.op === 'field' && node.path.base === 'old' ? { ...node, path: { ...node.path, base: 'own' } } : node,
    ),
  },
  {
    name: 'JavaScript takes whoever asks for the record that has a name',
    tree: everywhere(node =>
      node.op === 'field' && node.path.base === 'named' ? { ...node, path: { ...node.path, base: 'me' } } : node,
    ),
  },
  {
    name: 'JavaScript takes `is` for `=`',
    tree: everywhere(node => (node.op === 'same' ? { ...node, op: 'compare', sign: '=' } : node)),
  },
  { name: 'SQL takes `<` for `<=`', text: text => text.replaceAll(' < ', ' <= ') },
  { name: 'SQL cuts instead of rounding', text: text => text.replaceAll('round(', 'trunc(') },
  { name: 'SQL cuts quotients', text: text => text.replaceAll('round(div(', 'trunc(div(') },
  { name: 'SQL counts bytes for characters', text: text => text.replaceAll('char_length(', 'octet_length(') },
  { name: 'SQL gives nothing for the sum of nothing', text: text => text.replaceAll('coalesce(sum(', 'nullif(sum(') },
  { name: 'SQL compares empties with `=`', text: text => text.replaceAll(' is not distinct from ', ' = ') },
  { name: 'SQL takes unknown rows for good ones in `all`', text: text => text.replaceAll(' is not true', ' is false') },
  { name: 'SQL finds a text only behind its beginning', text: text => text.replace(/\) > 0\)/g, ') > 1)') },
  {
    name: 'SQL counts the record itself among the others',
    text: text => text.replaceAll('"id" <> "t"."id"', '"id" is not null'),
  },
  {
    name: 'SQL lets dates run out of the calendar',
    text: text => text.replaceAll('nullif(nullif(', 'coalesce(coalesce('),
  },
  {
    name: 'SQL skips empties in `min` and `max`',
    text: text => text.replaceAll("'Infinity'::numeric", 'null::numeric'),
  },
  { name: 'SQL takes the day of the session', text: text => text.replaceAll(/ at time zone '[^']+'/g, '::timestamp') },
  { name: 'SQL counts weekdays from Sunday', text: text => text.replaceAll('extract(isodow', 'extract(dow') },
  { name: 'SQL counts only full hours and days', text: text => text.replaceAll('ceil(', 'floor(') },
  {
    name: 'SQL lets the time before count',
    text: text => text.replaceAll(/greatest\((coalesce\(ceil\()/g, 'least($1'),
  },
  {
    name: 'SQL counts closed days as working days',
    text: text => text.replaceAll(/ - width_bucket\(/g, ' - 0 * width_bucket('),
  },
  {
    name: 'SQL does not skip closed days on the way to a working day',
    text: text => text.replaceAll(' - c.place < w.n', ' - c.place < 0'),
  },
  { name: 'SQL holds the closing time for open', text: text => text.replaceAll(' < (array[', ' <= (array[') },
  {
    name: 'SQL leaves out the closed days of everybody, where those of one record are asked for',
    text: text => text.replaceAll(/ or \("nx\d+"\."region" is null\)/g, ''),
  },
  { name: 'SQL is open on closed days', text: text => text.replaceAll(' <> all(', ' <> any(') },
  {
    name: 'SQL begins the working day at midnight',
    text: text => text.replaceAll('::time) - (array[', '::time) - 0 * (array['),
  },
  { name: 'SQL lists rows as they were created', text: text => text.replaceAll(/"nx\d+"\."position", /g, '') },
  { name: 'SQL lists one text less', text: text => text.replaceAll('[1:20]', '[1:19]') },
  { name: 'SQL writes days with two digits', text: text => text.replaceAll("'FMDD'", "'DD'") },
  { name: 'SQL counts Saturdays as working days', text: text => text.replaceAll(' % 7 + 1, 5)', ' % 7 + 1, 6)') },
]

/** A change of single nodes, made at every node of a tree, inner ones first. */
export function everywhere(change: (node: Checked) => Checked): (node: Checked) => Checked {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, visit(inner)]))
    return 'op' in copy ? change(copy as unknown as Checked) : copy
  }
  return node => visit(node) as Checked
}
