/** Wire values as people read them, and fields as controls: by the view of the field's kind, else by the type. */
import { codeIn, isFixed, withoutCode } from '../../expression/currency.ts'
import type { Expression } from '../../expression/expression.ts'
import { isPercent } from '../../expression/fit.ts'
import type { Type, Wire } from '../../expression/type.ts'
import type { Parameter } from '../../headings/2-screens/model.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import { keyName, wordFor } from '../../headings/translate.ts'
import type { ShownValue } from '../../kinds/fields/field-view.ts'
import { heldFile } from '../../kinds/fields/file/held.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { jsonLines } from '../../kinds/fields/json/text.ts'
import { namesUnseen } from '../../kinds/fields/reference/unseen.ts'
import { chosen } from '../../kinds/fields/several-of/chosen.ts'
import { fieldViews } from '../../kinds/fields/views.ts'
import type { ValuesByExpression } from '../../kinds/screens/read-data.ts'
import type { ControlView, FieldView, ValueView } from '../../kinds/screens/view-model.ts'
import { shownValue, withDecimals } from '../../run/problems/shown.ts'
import { wordsIn } from '../../run/problems/words.ts'
import { type FieldInfo, fieldInfo, type Site, stateView } from '../site.ts'

type Shown = ShownValue & { readonly datetime?: string }

type Shower = (wire: string | boolean, type: Type, site: Site) => Shown

const asText: Shower = wire => ({ text: String(wire), look: 'text' })
const asWord: Shower = (wire, _, { app }) => ({ text: wordFor(app, String(wire)), look: 'text' })

const showers: Readonly<Record<Type['kind'], Shower>> = {
  text: asText,
  integer: (wire, _, { reader }) => ({ text: reader.format.integer(String(wire)), look: 'number' }),
  decimal: (wire, type, { reader }) => ({
    text: reader.format[isPercent(type) ? 'percent' : 'decimal'](String(wire)),
    look: 'number',
  }),
  money(wire, type, { reader: { format } }) {
    const currency = isFixed(type) ? type.currency : codeIn(String(wire))
    const amount = withoutCode(String(wire))
    return { text: currency === null ? format.decimal(amount) : format.money(amount, currency), look: 'number' }
  },
  'yes/no': (wire, _, { reader }) => ({ text: reader.words(wire === true ? 'yes' : 'no'), look: 'yes/no' }),
  date: (wire, _, { reader }) => ({ text: reader.format.date(String(wire)), look: 'date', datetime: String(wire) }),
  moment: (wire, _, { reader }) => ({ text: reader.format.moment(String(wire)), look: 'date', datetime: String(wire) }),
  time: (wire, _, __) => ({ text: String(wire), look: 'date', datetime: String(wire) }),
  duration: (wire, type, { reader }) => ({
    text: shownValue(wire, type, reader.locale, reader.format.zone),
    look: 'number',
  }),
  choice: asWord,
  choices: (wire, _, { app }) => ({
    text: chosen(wire)
      .map(name => wordFor(app, name))
      .join(', '),
    look: 'text',
  }),
  reference: asText,
  list: asText,
  values: asText,
  file: asText,
  json(wire) {
    const text = jsonLines(String(wire))
    return { text, look: 'long', rich: [{ tag: 'pre', children: [{ tag: 'code', children: [text] }] }] }
  },
  secret: () => ({ text: '••••••••', look: 'text' }),
  error: asText,
}

const numbers: ReadonlySet<Type['kind']> = new Set(['integer', 'decimal', 'money', 'duration'])

/** Figures stand at the end of their column, so that their digits line up. */
export const isNumeric = (type: Type): boolean => numbers.has(type.kind)

const nothing: ValueView = { text: '', look: 'text', href: null, datetime: null, state: null }

/** `entity` is the one whose states a state belongs to. `label`: what a reference names; `href`: where it, or a file, may be looked at. */
export function valueView(
  site: Site,
  entity: string,
  info: FieldInfo,
  wire: Wire | undefined,
  reference: { readonly label: string | undefined; readonly href: string | null } = { label: undefined, href: null },
): ValueView {
  if (wire === null || wire === undefined || wire === '') return nothing
  if (info.field === null && info.key === 'state')
    return {
      ...nothing,
      text: wordFor(site.app, String(wire)),
      look: 'state',
      state: stateView(site, entity, String(wire)),
    }
  const own = fieldViews.get(info.field?.kind ?? '')?.show
  if (info.type.kind === 'file') {
    const held = heldFile(wire)
    if (held === null) return nothing
    return { ...nothing, text: held.name, look: own?.(String(wire)).look ?? 'file', href: reference.href }
  }
  if (info.type.kind === 'reference' || info.type.kind === 'list') {
    // What has no title is named by nothing: its id says nothing to a person.
    if (!namesUnseen(wire))
      return reference.label === undefined ? nothing : { ...nothing, text: reference.label, href: reference.href }
    const labels = [...(reference.label === undefined ? [] : [reference.label]), wordsIn(site.reader.locale).unseen]
    return { ...nothing, text: labels.join(', ') }
  }
  if (own !== undefined) return { ...nothing, ...own(String(wire)) }
  if (isNumbering(info.type, info.field)) return { ...nothing, text: String(wire), look: 'number' }
  const { datetime = null, ...view } = shown(asTyped(wire, info), info.type, site)
  return { ...nothing, ...view, datetime }
}

/** Nobody counts with a whole number that no two records have: its digits stand as they are, `10835`. */
const isNumbering = (type: Type, field: Field | null): boolean =>
  type.kind === 'integer' && field?.unique?.within.length === 0

const asTyped = (wire: string | boolean, { type, field }: FieldInfo): string | boolean =>
  typeof wire !== 'string' || field === null ? wire : withDecimals(wire, type, field.parameters.scale)

/** The same dates and amounts stand on page after page, and `Intl` takes microseconds for each: the last few thousand are kept. */
function shown(wire: string | boolean, type: Type, site: Site): Shown {
  if (!formatted.has(type.kind)) return showers[type.kind](wire, type, site)
  let known = memory.get(site)
  if (known === undefined || known.size > memorySize) {
    known = new Map()
    memory.set(site, known)
  }
  const key = `${type.kind} ${isFixed(type) ? type.currency : isPercent(type) ? '%' : ''} ${wire}`
  let found = known.get(key)
  if (found === undefined) {
    found = showers[type.kind](wire, type, site)
    known.set(key, found)
  }
  return found
}

const formatted: ReadonlySet<Type['kind']> = new Set(['integer', 'decimal', 'money', 'date', 'moment'])
const memorySize = 5000
const memory = new WeakMap<Site, Map<string, Shown>>()

/** Text alone, for sentences, captions and chips. */
export const textOf = (site: Site, entity: string, info: FieldInfo, wire: Wire | undefined, label?: string): string =>
  valueView(site, entity, info, wire, { label, href: null }).text

/** What was read of a record besides its fields; null: it was not, or is no field of another one. */
export function toldValue(
  site: Site,
  value: Expression,
  told: ValuesByExpression,
): { readonly label: string; readonly value: ValueView } | null {
  const found = told.get(value)
  const last = value.root.op === 'field' ? value.root.path.steps.at(-1) : undefined
  const info = last === undefined ? null : fieldInfo(site.app, last.entity, last.field)
  if (found === undefined || last === undefined || info === null) return null
  const label = found.label ?? undefined
  return { label: info.label, value: valueView(site, last.entity, info, found.value, { label, href: null }) }
}

interface Asked {
  readonly site: Site
  readonly field: Field
  /** The field may be left empty in this form. */
  readonly optional: boolean
  /** Whoever fills it in is asked for what is their own: browsers may fill in what they know of them. */
  readonly own?: boolean
}

const plainInput: Extract<ControlView, { kind: 'input' }> = {
  kind: 'input',
  type: 'text',
  inputMode: null,
  numeric: false,
  maxLength: null,
  min: null,
  max: null,
  affix: null,
  autoComplete: 'off',
  size: 'full',
}

/** The control of a field, references and files apart: they need what is there (`choosing.ts`). */
export function controlOf({ site, field, optional, own = false }: Asked): ControlView {
  const control = fieldViews.get(field.kind)?.control?.({
    parameters: field.parameters,
    mayBeEmpty: optional && field.default === null,
    own,
    neverBelowZero: isNeverBelowZero(field.min),
    word: name => wordFor(site.app, name),
    yesNo: site.reader.words,
  })
  switch (control?.kind) {
    case 'select':
      return { ...control, kind: 'select', empty: '' }
    case 'several':
      return { ...control, kind: 'several', parted: ', ', search: null }
    case 'textarea':
    case 'checkbox':
      return control
    default:
      return { ...plainInput, ...control }
  }
}

/** What a page asks its reader for, with the answer that its address has. */
export function askedField(
  site: Site,
  { key, cell, kind, parameters, type, default: preset }: Parameter,
  value: string,
): FieldView {
  return {
    key,
    name: key,
    id: `ask-${key}`,
    label: keyName(site.app, key),
    hint: null,
    required: preset !== null,
    value,
    errors: [],
    control: controlOf({
      site,
      field: { kind, parameters, type, default: null } as Parameters<typeof controlOf>[0]['field'],
      optional: true,
    }),
    mark: site.mark(cell),
  }
}

/** Nothing below zero is taken where this is the least. */
export const isNeverBelowZero = (min: Field['min'] | undefined): boolean =>
  min?.root.op === 'literal' && Number(min.root.value) >= 0

/** What the control holds for a stored value: text that the kind reads back. */
export function controlText(site: Pick<Site, 'reader'>, field: Field, wire: Wire | undefined): string {
  if (wire === null || wire === undefined) return ''
  if (isNumbering(field.type, field)) return String(wire)
  return fieldKind(field.kind).input(wire, field.parameters, site.reader.locale, site.reader.format.zone)
}
