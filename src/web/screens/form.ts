/** A form: what may be set, as it stands or as it was typed → what its view shows. Nothing typed is ever lost on the way. */
import type { Expression } from '../../expression/expression.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { Section } from '../../headings/2-screens/model.ts'
import type { Field } from '../../headings/3-entities/model.ts'
import { titleFields } from '../../headings/3-entities/titles.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { namesUnseen } from '../../kinds/fields/reference/unseen.ts'
import type { ConflictView, FormView, PartView, RowsView } from '../../kinds/screens/form/view-model.ts'
import type {
  CreateView,
  ErrorView,
  FieldView,
  Hidden,
  Mark,
  Option,
  ValueView,
} from '../../kinds/screens/view-model.ts'
import type { Problem } from '../../run/outcome.ts'
import type { FormData } from '../../run/read/form.ts'
import type { FormField } from '../../run/read/presets.ts'
import type { LiveForm } from '../../run/write/live-form.ts'
import { fileAddress } from '../routes/files.ts'
import { say } from '../sentences.ts'
import { type FieldInfo, fieldInfo, inSentence, linksTo } from '../site.ts'
import { fileOf, pickOf, severalOf } from './choosing.ts'
import { type Building, markOf, versionInput } from './common.ts'
import { wordsOf } from './conditions.ts'
import { createView } from './create.ts'
import { hintOf, joined } from './form-hints.ts'
import { limitOf, rulesOf } from './form-rules.ts'
import { problemPlace } from './problem-place.ts'
import { otherRecord } from './things.ts'
import { scalar, type Typed, type TypedRow, typedFrom, writeWas } from './typed.ts'
import { controlOf, controlText, isNumeric, textOf, valueView } from './values.ts'

/** Fields that are wanted of records, by entity. */
export type Wanted = ReadonlyMap<string, ReadonlySet<string>>

/** Records by entity and id: what was wanted of them, as far as whoever asks sees it. */
export type Records = ReadonlyMap<string, Choices['records']>

/** Records that a reference may name. */
export interface Choices {
  readonly options: readonly Option[]
  readonly more: boolean
  readonly records: Readonly<Record<string, RecordValue>>
  /** What they go by of what stands in the form (`this.model`, `above.day`), and what is known of these values. Absent: they are always the same. */
  readonly following?: { readonly reads: readonly string[]; readonly known: Readonly<Record<string, string>> }
  /** Of rows of which more is known, by their place: `lines.0`. */
  readonly rows?: ReadonlyMap<string, Choices>
}

/** What somebody is looking for in a picker, by the control's name. */
export interface Search {
  readonly query: string
  readonly found: Choices | null
}

/** What is shown; what a piece of a page does without (title, address, conflict …) may be left out. */
export interface FormOptions {
  readonly entity: string
  readonly form: FormData
  /** Null: nobody typed anything yet. */
  readonly typed: Typed | null
  readonly problems: readonly Problem[]
  /** By entity and field: `loan_line.item`. */
  readonly choices: ReadonlyMap<string, Choices>
  readonly searches: ReadonlyMap<string, Search>
  /** Titles of records that were chosen in a picker, by id. */
  readonly chosen: ReadonlyMap<string, string>
  /** Field keys in order, where the document names them; absent: as they come. */
  readonly columns?: readonly string[]
  /** Absent: none. */
  readonly sections?: readonly Section[]
  readonly title?: string
  readonly crumbs?: FormView['crumbs']
  readonly mark?: Mark | null
  readonly meaning?: string | null
  readonly action?: string
  readonly cancel?: string
  readonly note?: string | null
  readonly conflict?: ConflictView | null
  /** What the form was made from when it was first shown, where it comes back: comparing goes on from there. Null: now. */
  readonly base?: readonly Hidden[] | null
  /** What the form in the browser works with; null: nothing (a page that only offers choices). */
  readonly live?: LiveForm | null
  /** It is for everyone, who are told no more than they need. The trap is null where it was sprung already. */
  readonly forEveryone?: Pick<FormView, 'trap'>
  readonly draft?: FormView['draft']
  readonly wizard?: FormView['wizard']
  readonly confirm?: FormView['confirm']
  /** Where a field is that does not stand in this form. */
  readonly elsewhere?: (field: string) => string | null
}

/** The reference fields of a form that somebody may fill: what options are asked for. */
export function referencesIn(
  site: Building['site'],
  entity: string,
  fields: readonly FormField[],
): readonly { entity: string; field: string }[] {
  return fields.flatMap(({ key, settable, children }) => {
    const info = fieldInfo(site.app, entity, key)
    if (!settable || info === null) return []
    if (children !== null && info.type.kind === 'list') return referencesIn(site, info.type.entity, children)
    return info.type.kind === 'reference' || linksTo(info) !== null ? [{ entity, field: key }] : []
  })
}

/** The view of a form; what was typed is shown as it was typed, refused or not. */
export function formView(build: Building, options: FormOptions): FormView {
  const { site, tokens } = build
  const { entity, form, problems, title = '' } = options
  const was = typedFrom(build, entity, form)
  const typed = options.typed ?? was
  const shown = ordered(form.fields, options.columns ?? [])
  const parts = shown.flatMap(field => partOf(build, options, typed, field))
  const lists = shown
    .filter(({ children, settable }) => children !== null && settable)
    .map(({ key }) => ({ name: key, value: '' }))
  const known = new Set(parts.flatMap(idsOf))
  const of = site.app.entities.get(entity)!
  return {
    kind: 'form',
    title,
    pageTitle: options.wizard == null ? title : `${title}, ${options.wizard.progress}`,
    crumbs: options.crumbs ?? [],
    meaning: options.meaning ?? null,
    mark: options.mark ?? null,
    assumed: [],
    action: options.action ?? '',
    hidden: [
      ...tokens,
      ...(options.base ?? baseOf(form, was)),
      ...lists,
      ...(options.draft?.own === true ? [options.draft.input] : []),
    ],
    errors: problems.map(problem => {
      const view = errorView(build, problem, known)
      return view.href !== null || problem.field === null
        ? view
        : { ...view, href: options.elsewhere?.(problem.field) ?? null }
    }),
    conflict: options.conflict ?? null,
    note: options.note ?? null,
    parts,
    sections: sectionsOf(parts, options.sections ?? []),
    wizard: options.wizard ?? null,
    confirm: options.confirm ?? null,
    submit: options.wizard?.next ?? submitOf(site, form, options.forEveryone !== undefined, of.name),
    cancel: options.cancel ?? '',
    // Strangers are told what is wrong with what they sent, and no more of the rules than that.
    rules: options.forEveryone != null ? [] : rulesOf(build, entity, form.id === null ? 'create' : 'change'),
    live: options.live ?? null,
    trap: options.forEveryone?.trap ?? null,
    draft: options.draft ?? null,
  }
}

function submitOf(site: Building['site'], { id }: FormData, isForEveryone: boolean, thing: string): string {
  if (isForEveryone) return say(site, 'formSend')
  return id === null ? say(site, 'createRecord', { thing: inSentence(site, thing) }) : site.reader.words('save')
}

function sectionsOf(parts: readonly PartView[], sections: readonly Section[]): FormView['sections'] {
  const keys = parts.map(part => (part.kind === 'field' ? part.field.key : part.rows.key))
  const titled = sections.map(({ name, meaning, fields }) => ({
    title: name.text,
    meaning: meaning?.text ?? null,
    parts: fields.flatMap(({ field }) => (keys.includes(field) ? [field] : [])),
  }))
  const rest = keys.filter(key => !titled.some(section => section.parts.includes(key)))
  return [{ title: null, meaning: null, parts: rest }, ...titled].filter(section => section.parts.length > 0)
}

/** What a new record copied from whoever makes it when they began. */
export const begunName = '_for'
/** What `baseOf` gives. */
export const baseNames: readonly string[] = [versionInput(0).name, '_was', begunName]

/** Version and texts that a form is made from; of a new record, what is copied from whoever makes it. */
export function baseOf({ id, version, begunFor }: FormData, was: Typed): readonly Hidden[] {
  if (begunFor !== undefined) return [{ name: begunName, value: begunFor }]
  return id === null || version === null ? [] : [versionInput(version), { name: '_was', value: writeWas(was) }]
}

/** `due_back` → `due_back`, `lines.0.item` → `lines-0-item`. */
const idOf = (name: string): string => name.replaceAll('.', '-')

export function errorView(build: Building, problem: Problem, known: ReadonlySet<string>): ErrorView {
  const { site } = build
  const { message, whatToDo, code, field, because, warning } = problem
  const id = field === null ? null : idOf(field)
  const ways = (field ?? '').split('.').map((_, at, all) => idOf(all.slice(0, all.length - at).join('.')))
  const target = id === null ? null : (ways.find(way => known.has(way)) ?? null)
  const href = target === null ? null : `#${target}`
  const mark = markOf(site, because)
  const of = otherRecord(build, problem)
  const place = problemPlace(site, problem)
  return {
    message,
    whatToDo,
    code,
    ...(place !== null && { place }),
    href,
    mark,
    ...(warning === true ? { warning } : {}),
    ...(of !== null && { of }),
  }
}

function ordered(fields: readonly FormField[], columns: readonly string[]): readonly FormField[] {
  if (columns.length === 0) return fields
  return columns.flatMap(column => fields.find(({ key }) => key === column) ?? [])
}

function partOf(build: Building, options: FormOptions, typed: Typed, field: FormField): readonly PartView[] {
  const { site } = build
  const info = fieldInfo(site.app, options.entity, field.key)
  if (info?.field == null) return []
  if (info.type.kind === 'list' && linksTo(info) === null)
    return field.settable
      ? [
          {
            kind: 'rows',
            rows: rowsView(build, options, {
              field,
              info,
              path: info.key,
              stored: info.key,
              at: typed,
              row: options.form.values,
            }),
          },
        ]
      : []
  if (!field.settable) return shownPart(build, options, info)
  return [
    {
      kind: 'field',
      field: fieldView(build, options, info, field.key, options.entity, {
        value: typed.texts[field.key] ?? '',
        stored: scalar(options.form.values[field.key]),
        inRow: false,
      }),
    },
  ]
}

/** What is there but not to be set here stands in the form as text, so that nobody has to remember it. */
function shownPart({ site }: Building, { entity, form }: FormOptions, info: FieldInfo): readonly PartView[] {
  const isFile = info.type.kind === 'file' && form.id !== null
  const value = valueView(site, entity, info, scalar(form.values[info.key]), {
    label: form.labels[info.key],
    href: isFile ? fileAddress(entity, form.id, info.key) : null,
  })
  const isComputed = info.field?.computed != null
  if (!isComputed && (form.id === null || value.text === '')) return []
  return [{ kind: 'field', field: { ...shownView(info, info.key, value), mark: markOf(site, info.cell) } }]
}

const shownView = (info: FieldInfo, name: string, value: ValueView): FieldView => ({
  key: info.key,
  name,
  id: idOf(name),
  label: info.label,
  hint: null,
  required: true,
  value: '',
  errors: [],
  control: { kind: 'shown', value },
  mark: null,
})

function fieldView(
  build: Building,
  options: FormOptions,
  info: FieldInfo,
  name: string,
  entity: string,
  { value, stored, inRow }: { readonly value: string; readonly stored: Wire | undefined; readonly inRow: boolean },
): FieldView {
  const { site } = build
  const field = info.field as Field
  const isSealed = fieldKind(field.kind).sealed === true
  // What is there already is kept where nothing is typed.
  const isKept = isSealed && options.form.id !== null
  const failed = inRow ? undefined : options.form.fields.find(({ key }) => key === info.key)?.failed
  const hints = [
    hintOf(build, field),
    failed ?? null,
    isSealed && value !== '' ? say(site, 'secretAgain') : null,
    isKept ? say(site, 'secretKept') : null,
    linksTo(info) !== null && namesUnseen(stored) ? say(site, 'othersKept') : null,
  ]
  const required = field.required !== null && field.required.when === null && !isKept
  const own = options.problems.filter(problem => problem.field === name)
  return {
    key: info.key,
    name,
    id: idOf(name),
    label: info.label,
    hint: joined(hints),
    conditions: inRow ? null : conditionsOf(build, options, entity, field),
    required,
    value: isSealed ? '' : value,
    errors: own.map(problem => errorView(build, problem, new Set([idOf(name)]))),
    control:
      info.type.kind === 'reference'
        ? pickOf(build, options, info, name, value, entity, required)
        : linksTo(info) !== null
          ? severalOf(build, options, info, name, value, entity)
          : info.type.kind === 'file'
            ? fileOf(build, options, field, name, value, entity, required)
            : controlOf({ site, field, optional: !required, own: options.forEveryone != null && !inRow }),
    mark: inRow ? null : markOf(site, info.cell),
    create: newOf(build, options, info, name),
  }
}

/** Only where the form lives on: what a step asks for, and a form in a dialog, make nothing new. */
function newOf({ context }: Building, { live, draft }: FormOptions, info: FieldInfo, name: string): CreateView | null {
  const target = info.type.kind === 'reference' ? info.type.entity : linksTo(info)
  return live === null || target === null ? null : createView(context, target, name, draft?.own === true)
}

/** When it is there, needed or locked, as far as the form in the browser may know that; null: always the same. */
function conditionsOf({ site }: Building, { live }: FormOptions, entity: string, field: Field): string | null {
  const known = live?.entities[entity]?.fields.find(({ key }) => key === field.key)
  if (known === undefined) return null
  const { onlyWhen, required, readOnlyWhen } = field
  const words = (when: Expression | null | undefined) => (when == null ? null : wordsOf(site, entity, when, null))
  const [only, needed, locked] = [
    known.onlyWhen === null ? null : words(onlyWhen),
    known.required === null ? null : words(required?.when),
    known.readOnlyWhen === null ? null : words(readOnlyWhen),
  ]
  const isThenNeeded = only !== null && required !== null && (required.when === null || needed === only)
  const texts = [
    only === null ? null : say(site, isThenNeeded ? 'onlyIfNeeded' : 'onlyIf', { condition: only }),
    needed === null || isThenNeeded ? null : say(site, 'neededIf', { condition: needed }),
    locked === null ? null : say(site, 'lockedIf', { condition: locked }),
  ].filter(text => text !== null)
  return texts.length === 0 ? null : texts.join(' ')
}

/** A list of rows in the record, or in one of its rows. */
interface ListPlace {
  readonly field: FormField
  readonly info: FieldInfo
  /** As its controls are named, `lines`, `lines.0.tasks`, and by the places of what is stored. */
  readonly path: string
  readonly stored: string
  /** What has the list: as it was typed, and as it is stored; null: it is new. */
  readonly at: Typed
  readonly row: RecordValue | null
}

function rowsView(
  build: Building,
  options: FormOptions,
  { field, info, path: list, stored, at, row: of }: ListPlace,
): RowsView {
  const { site, context } = build
  const child = info.type.kind === 'list' ? info.type.entity : ''
  const inner = (field.children ?? []).flatMap(one => {
    const own = fieldInfo(site.app, child, one.key)
    return own?.field == null || one.children === null || !one.settable ? [] : [{ field: one, info: own }]
  })
  const columns = (field.children ?? []).flatMap(({ key, settable, children }) => {
    const own = fieldInfo(site.app, child, key)
    return children === null && own?.field != null && (settable || own.field.computed !== null) ? [own] : []
  })
  const typed = at.lists[field.key] ?? []
  const most = field.adds === true ? limitOf(info.field?.max ?? null, context.request) : 0
  // A list that needs a row has one to fill in, also after it was sent without any.
  const rows: readonly TypedRow[] =
    typed.length === 0 && most !== 0 && info.field?.min != null ? [{ id: null, texts: {}, lists: {} }] : typed
  const own = options.problems.filter(problem => problem.field === list)
  const id = idOf(list)
  return {
    key: list,
    id,
    label: info.label,
    hint: joined([info.field?.meaning?.text, ...(field.children ?? []).map(({ failed }) => failed)]),
    errors: own.map(problem => errorView(build, problem, new Set([id]))),
    columns: columns.map(column => ({
      label: column.label,
      required:
        column.field?.computed != null || (column.field?.required !== null && column.field?.required?.when === null),
      conditions: conditionsOf(build, options, child, column.field as Field),
    })),
    rows: rows.map((row, index) => ({
      index,
      hidden: [
        ...(row.id === null ? [] : [{ name: `${list}.${index}.id`, value: row.id }]),
        ...inner.map(one => ({ name: `${list}.${index}.${one.info.key}`, value: '' })),
        ...(isShut(row.id, 'change') ? carried(index, row.id, row.texts) : []),
      ],
      fields: isShut(row.id, 'change')
        ? columns.map(column => storedView(column, `${list}.${index}.${column.key}`, row.id))
        : fieldsOf(String(index), row.id, row.texts),
      lists: listsOf(String(index), row),
      errors: options.problems
        .filter(problem => problem.field === `${list}.${index}`)
        .map(problem => errorView(build, problem, new Set([`${id}-${index}`]))),
      remove: isShut(row.id, 'delete') ? null : { name: '_remove', value: `${list}.${index}` },
      removeLabel: site.reader.words('removeRow', { row: site.reader.words('row', { number: index + 1 }) }),
    })),
    add: most !== null && rows.length >= most ? null : { name: '_add', value: list },
    addLabel: site.reader.words('addRow'),
    naming: titleFields(site.app.entities.get(child)!).filter(key => columns.some(column => column.key === key)),
    moves: rows.every(({ id: row }) => !isShut(row, 'change')),
    blank: fieldsOf('#', null, {}),
    blankLists: listsOf('#', { id: null, texts: {}, lists: {} }),
    most,
    mark: markOf(site, info.cell),
  }

  function listsOf(number: string, row: TypedRow): readonly RowsView[] {
    const place = storedRows().findIndex(one => one.id === row.id)
    return inner.map(one =>
      rowsView(build, options, {
        ...one,
        path: `${list}.${number}.${one.info.key}`,
        stored: `${stored}.${place}.${one.info.key}`,
        at: row,
        row: storedRows()[place] ?? null,
      }),
    )
  }

  function isShut(id: string | null, verb: 'change' | 'delete'): boolean {
    return id !== null && options.form.closedRows[verb].has(id)
  }

  /** A row that is only shown is sent as it is; a box that is not ticked by not being sent. */
  function carried(index: number, id: string | null, texts: TypedRow['texts']): readonly Hidden[] {
    return Object.entries(texts).flatMap(([key, value]) =>
      wireAt(id, key) === false ? [] : [{ name: `${list}.${index}.${key}`, value }],
    )
  }

  function fieldsOf(number: string, id: string | null, texts: TypedRow['texts']): readonly FieldView[] {
    return columns.map(column => {
      const name = `${list}.${number}.${column.key}`
      if (column.field?.computed != null) return storedView(column, name, id)
      const preset = id === null && !(column.key in texts) ? presetOf(column) : ''
      return fieldView(build, options, column, name, child, {
        value: texts[column.key] ?? preset,
        stored: wireAt(id, column.key),
        inRow: true,
      })
    })
  }

  /** As it is stored; what is computed the script computes anew with every key. */
  function storedView(column: FieldInfo, name: string, id: string | null): FieldView {
    const look = isNumeric(column.type) ? ('number' as const) : ('text' as const)
    const place = storedRows().findIndex(row => row.id === id)
    const label = options.form.labels[`${stored}.${place}.${column.key}`]
    return {
      ...shownView(column, name, {
        ...valueView(site, child, column, wireAt(id, column.key), { label, href: null }),
        look,
      }),
      mark: null,
    }
  }

  function wireAt(id: string | null, key: string): Wire | undefined {
    const row = id === null ? null : storedRows().find(one => one.id === id)
    return row === null ? null : scalar(row?.[key])
  }

  function storedRows(): readonly RecordValue[] {
    const all = of?.[field.key]
    return Array.isArray(all) ? (all as readonly RecordValue[]) : []
  }

  function presetOf({ key, field: own }: FieldInfo): string {
    const preset = field.children?.find(one => one.key === key)?.preset ?? null
    return own === null || preset === null ? '' : controlText(site, own, preset)
  }
}

const idsOf = (part: PartView): readonly string[] => (part.kind === 'field' ? [part.field.id] : idsOfRows(part.rows))

const idsOfRows = ({ id, rows }: RowsView): readonly string[] => [
  id,
  ...rows.flatMap(({ index, fields, lists }) => [
    `${id}-${index}`,
    ...fields.map(field => field.id),
    ...lists.flatMap(idsOfRows),
  ]),
]

/** A list of rows in one line, for choosing between two versions of it. */
export function rowsText(
  { site }: Building,
  child: string,
  rows: readonly RecordValue[],
  labels: ReadonlyMap<string, string>,
): ValueView {
  const title = site.app.entities.get(child)?.fields ?? []
  const texts = rows.map(row =>
    title
      .flatMap(({ key }) => {
        const info = fieldInfo(site.app, child, key)
        const wire = scalar(row[key])
        if (info === null || wire === undefined || wire === null) return []
        return [textOf(site, child, info, wire, labels.get(String(wire)))]
      })
      .filter(text => text !== '')
      .join(' '),
  )
  return { text: texts.join('; '), look: 'text', href: null, datetime: null, state: null }
}
