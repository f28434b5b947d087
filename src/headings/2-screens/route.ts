/** Addresses of screens. */

import { within } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import type { Cell } from '../../document/source.ts'
import { keyOf } from '../../expression/names.ts'
import { screenKinds } from '../../kinds/screens/index.ts'
import { isNamedAlone } from '../3-entities/rules.ts'
import type { Context } from '../context.ts'
import { screenCodes } from './codes.ts'
import { fieldOf } from './fields.ts'
import type { Route, Shows } from './model.ts'

const section = 2

/** Beginnings of addresses that the application needs itself. */
const taken = ['/-', '/api']

/** `shows` is null where it is left open: then braces may name anything. Null after a report. */
export function readRoute(context: Context, cell: Cell, shows: Shows | null): Route | null {
  const { report } = reporter(screenCodes, section, context.found)
  const { text } = cell
  const wrong = (why: string, fixes: Parameters<typeof report>[3] = {}) => {
    report('N1203', cell, { route: text, why, example: '{number}' }, fixes)
    return null
  }
  const ends = wrongEnds(text)
  if (ends !== null) return wrong(ends.why, { fixes: [writeInstead(cell, ends.instead)] })
  const first = taken.find(begin => text === begin || text.startsWith(`${begin}/`))
  if (first !== undefined) {
    report('N1216', cell, { route: text, taken: taken.map(begin => `\`${begin}\``).join(' or ') })
    return null
  }
  const segments: Route['segments'][number][] = []
  let at = 1
  for (const segment of text.length === 1 ? [] : text.slice(1).split('/')) {
    const field = /^\{([^{}]*)\}$/.exec(segment)?.[1]
    if (field !== undefined) {
      const name = readSegment(context, within(cell, at + 1, at + 1 + field.length), field, cell, shows)
      if (name === null) return null
      segments.push({ field: name })
    } else if (/^[a-z0-9][a-z0-9-]*$/.test(segment)) segments.push({ text: segment })
    else {
      const why = segment === '' ? 'a part between two `/` is empty' : `\`${segment}\` is not a lower-case word`
      const better = segmentInstead(segment)
      return wrong(why, { fixes: better === '' ? [] : [writeInstead(within(cell, at, at + segment.length), better)] })
    }
    at += segment.length + 1
  }
  const named = segments.filter(segment => 'field' in segment)
  if (named.length > 1) return wrong('only one part of it names a field')
  if (named.length === 0 && shows !== null && screenKinds.get(shows.kind)?.record === 'required') {
    const { name } = context.schema.get(shows.entity!)!
    report('N1213', cell, { entity: name, route: text === '/' ? '' : text, example: '{number}' })
    return null
  }
  return { cell, pattern: text, segments }
}

function wrongEnds(text: string): { readonly why: string; readonly instead: string } | null {
  if (!text.startsWith('/'))
    return { why: 'it does not begin with `/`', instead: `/${text.replace(/^https?:\/\/[^/]+\/*/, '')}` }
  if (text.length === 1 || !text.endsWith('/')) return null
  return { why: 'it ends with `/`', instead: text.replace(/\/+$/, '') }
}

/** `:id`, `<id>`, `[id]`, `$id` as others write it, or the words as a part of an address; empty where nothing is meant. */
function segmentInstead(segment: string): string {
  const field = /^(?::|\$|<|\[|\{\{)\s*(\w+)\s*(?:>|\]|\}\})?$/.exec(segment)?.[1]
  if (field !== undefined) return `{${field}}`
  return /[{}]/.test(segment) ? '' : keyOf(segment).replaceAll('_', '-')
}

function readSegment(
  context: Context,
  span: ReturnType<typeof within>,
  field: string,
  cell: Cell,
  shows: Shows | null,
): string | null {
  const { report } = reporter(screenCodes, section, context.found)
  if (shows === null) return field
  if (shows.entity === null || screenKinds.get(shows.kind)?.record === undefined) {
    report('N1214', span, { kind: shows.kind, field })
    return null
  }
  const shape = fieldOf(context, shows.entity, { ...cell, ...span, text: field, gaps: [] })
  if (shape === null) return null
  const entity = context.typed.get(shows.entity)!
  const declared = entity.fields.get(shape.key)
  const alone = declared !== undefined && isNamedAlone(declared.rules)
  if (shape.key === 'id' || shape.type.kind === 'error' || alone || declared?.kind.entered === false) return shape.key
  report('N1204', span, { field, entity: entity.draft.name })
  return null
}
