/** Wire values as people read them, and fields as controls. One table by type, one by kind of field; nothing else asks which kind it is. */

import { domainToUnicode } from 'node:url'
import { isPercent } from '../../expression/fit.ts'
import type { Type, Wire } from '../../expression/type.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import { wordFor } from '../../headings/translate.ts'
import { heldFile } from '../../kinds/fields/file/held.ts'
import { isShownInPlace } from '../../kinds/fields/file/types.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { jsonLines } from '../../kinds/fields/json/text.ts'
import { readMarkdown } from '../../kinds/fields/markdown/rich.ts'
import { unseen } from '../../kinds/fields/reference/unseen.ts'
import { chosen } from '../../kinds/fields/several-of/chosen.ts'
import type { ControlView, ValueView } from '../../kinds/screens/view-model.ts'
import { shownValue, withDecimals } from '../../run/problems/shown.ts'
import { wordsIn } from '../../run/problems/words.ts'
import { type Face, type Site, stateView } from '../site.ts'

type Shown = Pick<ValueView, 'text' | 'look'> & { readonly datetime?: string }

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
  money: (wire, type, { reader }) => ({
    text: reader.format.money(String(wire), type.kind === 'money' ? type.currency : 'EUR'),
    look: 'number',
  }),
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
  json: wire => ({ text: jsonLines(String(wire)), look: 'long' }),
  secret: () => ({ text: '••••••••', look: 'text' }),
  error: asText,
}

const numbers: ReadonlySet<Type['kind']> = new Set(['integer', 'decimal', 'money', 'duration'])

/** An address with its domain as people write it: `müller.de` is kept as `xn--mller-kva.de`. */
const asWritten = (address: string): string =>
  address.replace(/(?<=@|^https?:\/\/)[^/?#:]*xn--[^/?#:]*/, domain => domainToUnicode(domain) || domain)

/** Figures stand at the end of their column, so that their digits line up. */
export const isNumeric = (type: Type): boolean => numbers.has(type.kind)

const nothing: ValueView = { text: '', look: 'text', href: null, datetime: null, state: null }

/** `entity` is the one whose states a state belongs to. `label`: what a reference names; `href`: where it, or a file, may be looked at. */
export function valueView(
  site: Site,
  entity: string,
  face: Face,
  wire: Wire | undefined,
  reference: { readonly label: string | undefined; readonly href: string | null } = { label: undefined, href: null },
): ValueView {
  if (wire === null || wire === undefined || wire === '') return nothing
  if (face.field === null && face.key === 'state')
    return {
      ...nothing,
      text: wordFor(site.app, String(wire)),
      look: 'state',
      state: stateView(site, entity, String(wire)),
    }
  if (face.type.kind === 'file') {
    const held = heldFile(wire)
    if (held === null) return nothing
    const look = face.field?.kind === 'image' && isShownInPlace(held.type) ? 'image' : 'file'
    return { ...nothing, text: held.name, look, href: reference.href }
  }
  if (face.type.kind === 'reference' || face.type.kind === 'list') {
    if (wire === unseen) return { ...nothing, text: wordsIn(site.reader.locale).unseen }
    // What has no title that may be seen is named by nothing: its id says nothing to a person.
    return reference.label === undefined ? nothing : { ...nothing, text: reference.label, href: reference.href }
  }
  if (face.field?.kind === 'markdown') {
    const { rich, plain } = readMarkdown(String(wire))
    return { ...nothing, text: plain, look: 'long', rich }
  }
  const { text, look, datetime } = shown(asTyped(wire, face), face.type, site)
  if (face.field?.kind === 'e-mail' || face.field?.kind === 'link') return { ...nothing, text: asWritten(text), look }
  if (face.type.kind === 'json')
    return { ...nothing, text, look, rich: [{ tag: 'pre', children: [{ tag: 'code', children: [text] }] }] }
  return { text, look: looks[face.field?.kind ?? ''] ?? look, href: null, datetime: datetime ?? null, state: null }
}

const asTyped = (wire: string | boolean, { type, field }: Face): string | boolean =>
  typeof wire !== 'string' || field === null ? wire : withDecimals(wire, type, field.parameters.scale)

/** The same dates and amounts stand on page after page, and `Intl` takes microseconds for each: the last few thousand are kept. */
function shown(wire: string | boolean, type: Type, site: Site): Shown {
  if (!formatted.has(type.kind)) return showers[type.kind](wire, type, site)
  let known = memory.get(site)
  if (known === undefined || known.size > memorySize) {
    known = new Map()
    memory.set(site, known)
  }
  const key = `${type.kind} ${type.kind === 'money' ? type.currency : isPercent(type) ? '%' : ''} ${wire}`
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
export const textOf = (site: Site, entity: string, face: Face, wire: Wire | undefined, label?: string): string =>
  valueView(site, entity, face, wire, { label, href: null }).text

const looks: Readonly<Record<string, ValueView['look']>> = { 'long text': 'long' }

interface Asked {
  readonly site: Site
  readonly field: Field
  /** The field may be left empty in this form. */
  readonly optional: boolean
  /** Whoever fills it in is asked for what is their own: browsers may fill in what they know of them. */
  readonly own?: boolean
}

type Input = Extract<ControlView, { kind: 'input' }>

const plainInput: Input = {
  kind: 'input',
  type: 'text',
  inputMode: null,
  maxLength: null,
  min: null,
  max: null,
  affix: null,
  autoComplete: 'off',
  size: 'full',
}

const asArea = ({ field }: Asked): ControlView => ({
  kind: 'textarea',
  rows: (field.parameters.length ?? 1000) <= 500 ? 4 : 8,
  maxLength: field.parameters.length ?? null,
})

/** The keyboard of figures, which has no minus on telephones: where no number below zero is taken. */
const digits = ({ field: { min } }: Asked, keys: 'numeric' | 'decimal'): Input['inputMode'] =>
  min?.root.op === 'literal' && Number(min.root.value) >= 0 ? keys : null

const controls: Readonly<Record<string, (asked: Asked) => ControlView>> = {
  text: ({ field }) => ({
    ...plainInput,
    maxLength: field.parameters.length ?? null,
    size: (field.parameters.length ?? 80) <= 20 ? 'short' : (field.parameters.length ?? 80) <= 50 ? 'medium' : 'full',
  }),
  'long text': asArea,
  markdown: asArea,
  integer: asked => ({ ...plainInput, inputMode: digits(asked, 'numeric'), size: 'short' }),
  decimal: asked => ({ ...plainInput, inputMode: digits(asked, 'decimal'), size: 'short' }),
  money: asked => ({
    ...plainInput,
    inputMode: digits(asked, 'decimal'),
    affix: asked.field.parameters.currency ?? null,
    size: 'short',
  }),
  percent: asked => ({ ...plainInput, inputMode: digits(asked, 'decimal'), affix: '%', size: 'short' }),
  // With a default it is never empty, so a box says it all; without one, "not answered" is an answer of its own.
  'yes/no': ({ site, field, optional }) =>
    optional && field.default === null
      ? {
          kind: 'select',
          options: (['yes', 'no'] as const).map(value => ({ value, label: site.reader.words(value) })),
          empty: '',
        }
      : { kind: 'checkbox' },
  date: () => ({ ...plainInput, type: 'date', size: 'short' }),
  'date and time': () => ({ ...plainInput, type: 'datetime-local', size: 'medium' }),
  time: () => ({ ...plainInput, type: 'time', size: 'short' }),
  duration: () => ({ ...plainInput, size: 'short' }),
  'e-mail': ({ own }) => ({
    ...plainInput,
    type: 'email',
    inputMode: 'email',
    size: 'medium',
    autoComplete: own ? 'email' : 'off',
  }),
  phone: ({ own }) => ({
    ...plainInput,
    type: 'tel',
    inputMode: 'tel',
    size: 'medium',
    autoComplete: own ? 'tel' : 'off',
  }),
  link: () => ({ ...plainInput, type: 'url', inputMode: 'url' }),
  secret: () => ({ ...plainInput, type: 'password', autoComplete: 'new-password', size: 'medium' }),
  choice: ({ site, field }) => ({
    kind: 'select',
    options: (field.parameters.choices ?? []).map(choice => ({ value: choice, label: wordFor(site.app, choice) })),
    empty: '',
  }),
  'several of': ({ site, field }) => ({
    kind: 'several',
    options: (field.parameters.choices ?? []).map(choice => ({ value: choice, label: wordFor(site.app, choice) })),
    parted: ', ',
    search: null,
  }),
}

/** The control of a field, references and files apart: they need what is there (`choosing.ts`). */
export const controlOf = (asked: Asked): ControlView => controls[asked.field.kind]?.(asked) ?? plainInput

/** What the control holds for a stored value: text that the kind reads back. */
export function controlText(site: Pick<Site, 'reader'>, field: Field, wire: Wire | undefined): string {
  if (wire === null || wire === undefined) return ''
  return fieldKind(field.kind).input(wire, field.parameters, site.reader.locale, site.reader.format.zone)
}
