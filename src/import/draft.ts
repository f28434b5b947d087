/**
 * A document in the making: what an importer understood, before it is Markdown. Importers fill it through {@link Drafting}, which gives out
 * names that the language takes, and keeps the notes: what could not be said in the language is never silently lost.
 */

import { isName, keyOf, labelOf } from '../expression/names.ts'
import { everywhere, saidByApi } from '../headings/3-entities/built-in-names.ts'
import { usualNames } from '../headings/3-entities/titles.ts'

export interface Draft {
  readonly title: string
  /** "Imported from library.jh", the first line of the notes. */
  readonly origin: string
  readonly entities: readonly DraftEntity[]
  readonly rules: readonly DraftRule[]
  readonly notes: readonly Note[]
}

export interface DraftEntity {
  /** `Blood pressure`. */
  readonly name: string
  /** What several are called where the source says it; null: the plural of the name. */
  several: string | null
  /** Name of the entity that its records are part of. */
  readonly partOf: string | null
  /** The table that its records lie in, where the document may be applied to the source itself. */
  readonly table: string | null
  readonly prose: readonly string[]
  readonly fields: DraftField[]
  /** What its records go through. */
  workflow: DraftWorkflow | null
  /** What other roles than the administrator may, as rows of heading 6. */
  readonly grants: DraftGrant[]
  /** What speaks for the fields, one line each, and where it was found: "the 43 rows of the sheet Orders". */
  readonly evidence: { of: string; readonly lines: string[] }
  /** The file with its records, beside the document. */
  data: string | null
}

export interface DraftWorkflow {
  /** The first one first. */
  readonly states: readonly { readonly name: string; readonly kind: '' | 'end'; readonly locked: boolean }[]
  readonly steps: readonly {
    readonly name: string
    readonly from: readonly string[]
    readonly to: string
    readonly who: string
  }[]
}

/** Of a role that heading 6 declares. */
export interface DraftGrant {
  readonly role: string
  readonly see: string
  readonly create: string
  readonly change: string
  readonly delete: string
  readonly do: string
  readonly export: string
  readonly import: string
}

export interface DraftField {
  readonly key: string
  type: string
  readonly rules: string[]
  /** Null: the one that the language derives. */
  readonly label: string | null
  readonly meaning: string
}

export interface DraftRule {
  readonly name: string
  readonly entity: string
  readonly mustHold: string
  /** A field of the entity, or empty. */
  readonly field: string
  readonly error: string
  readonly message: string
  /** What it was made of: `orders.orders_check`, and how the source says it. */
  readonly about: string
  readonly source: string
}

/** What the source gives by itself in a way that the language does not say: nobody is asked for it. */
export function leaveOpen({ rules }: DraftField): void {
  if (rules.includes('required')) rules.splice(rules.indexOf('required'), 1)
}

/** Something that the language does not say, or says in another way. */
export interface Note {
  /** The entity in whose part of the document it stands; null: the whole document. */
  readonly entity: string | null
  /** As the source names it: `Book.cover`. */
  readonly about: string
  readonly text: string
}

/** Names that every record has already; a field of the source must have another one. */
const builtInNames: ReadonlySet<string> = new Set([
  ...Object.keys(everywhere),
  ...Object.entries(saidByApi).flatMap(([name, { of }]) => (of === 'all' ? [name] : [])),
])

const nothings = /^(?:no|none|tbd|not shown|unspecified|to be decided)$/i

export class Drafting {
  readonly entities: DraftEntity[] = []
  readonly rules: DraftRule[] = []
  readonly notes: Note[] = []
  private readonly entityKeys = new Set(['person'])

  note(entity: DraftEntity | null, about: string, text: string): void {
    this.notes.push({ entity: entity?.name ?? null, about, text })
  }

  /** Takes back what was noted about something. */
  withdraw(about: string): void {
    const left = this.notes.filter(note => note.about !== about)
    this.notes.splice(0, this.notes.length, ...left)
  }

  /** Declares an entity, under this name or one like it. `person` belongs to those who can sign in. */
  entity(wanted: string, prose: readonly string[] = [], table: string | null = null): DraftEntity {
    return this.added({ name: this.nameLike(wanted), partOf: null, table, prose })
  }

  /** Rows of a parent: they stand behind it in the document. */
  rowsOf(parent: DraftEntity, wanted: string): DraftEntity {
    const rows = this.added({ name: this.nameLike(wanted), partOf: parent.name, table: null, prose: [] })
    this.entities.pop()
    const siblings = this.entities.filter(({ partOf }) => partOf === parent.name).length
    this.entities.splice(this.entities.indexOf(parent) + 1 + siblings, 0, rows)
    return rows
  }

  private nameLike(wanted: string): string {
    const names = [wanted, `${wanted} record`, `Table ${wanted}`]
    const name = names.find(name => isName(keyOf(name)) && !nothings.test(name) && keyOf(name) !== 'person')
    const free = (candidate: string) => isName(keyOf(candidate)) && !this.entityKeys.has(keyOf(candidate))
    return numbered(name ?? 'Record', ' ', free)
  }

  /** The built-in `Person`, to which the document adds fields. */
  person(): DraftEntity {
    return (
      this.entities.find(({ name }) => name === 'Person') ??
      this.added({ name: 'Person', partOf: null, table: null, prose: [] })
    )
  }

  /** A key for a field: the wanted one, or one like it where that is taken, built in, or a word of the language. */
  fieldKey(entity: DraftEntity, wanted: string): string {
    const taken = new Set(entity.fields.map(({ key }) => key))
    if (entity.partOf !== null) taken.add(keyOf(entity.partOf)).add('position')
    if (entity.name === 'Person') taken.add('name').add('email')
    const isBuiltIn = (key: string) =>
      builtInNames.has(key) || (entity.workflow !== null && /^(?:state|state_since|steps)$/.test(key))
    const free = (key: string) => isName(key) && !taken.has(key) && !isBuiltIn(key)
    const key = isName(wanted) ? wanted : `own_${wanted.replace(/^_+/, '')}`
    return numbered(isBuiltIn(key) ? `own_${key}` : key, '_', free)
  }

  private added(named: Pick<DraftEntity, 'name' | 'partOf' | 'table' | 'prose'>): DraftEntity {
    const entity = {
      ...named,
      several: null,
      fields: [],
      workflow: null,
      grants: [],
      evidence: { of: '', lines: [] },
      data: null,
    }
    this.entities.push(entity)
    this.entityKeys.add(keyOf(entity.name))
    return entity
  }
}

/** The name itself where it is free, else with the first number from 2 that makes it so. */
function numbered(name: string, between: string, free: (candidate: string) => boolean): string {
  if (free(name)) return name
  let number = 2
  while (!free(`${name}${between}${number}`)) number += 1
  return `${name}${between}${number}`
}

/** `BloodPressure`, `blood_pressure` → `Blood pressure`; `URLPath` → `URL path`. */
export function sentence(name: string): string {
  const words = wordsOf(name).map(word => (/^[A-Z0-9]{2,}$/.test(word) ? word : word.toLowerCase()))
  const text = words.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `Order details` → `Order detail`, `Categories` → `Category`: an entity is named for one of its records. What is no plural stays. */
export function singular(name: string): string {
  if (/(?:ss|us|is|news|series|species)$/i.test(name)) return name
  if (/(?:analy|diagno|progno|cri|the|oa)ses$/i.test(name)) return `${name.slice(0, -2)}is`
  if (/(?:movie|cookie|calorie|selfie|zombie)s$/i.test(name)) return name.slice(0, -1)
  if (/[^aeiou]ies$/i.test(name)) return `${name.slice(0, -3)}y`
  if (/(?:ss|us|x|ch|sh|zz)es$/i.test(name)) return name.slice(0, -2)
  return /[a-z]s$/i.test(name) ? name.slice(0, -1) : name
}

/** `regionName` → `region_name`. Digits stay with the word before them. */
export const snake = (name: string): string => keyOf(wordsOf(name).join(' '))

const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')

/** The label where it differs from what the language derives from the key. */
export const labelUnlessDerived = (label: string, key: string): string | null => (label === labelOf(key) ? null : label)

/**
 * What names a record to people, as the language chooses it: its best required text, with one that is unique; else its first text.
 */
export function titleOf(entity: DraftEntity): readonly string[] {
  if (entity.name === 'Person') return ['name']
  const displayed = entity.fields.filter(({ rules }) => rules.includes('display'))
  if (displayed.length > 0) return displayed.map(({ key }) => key)
  const texts = entity.fields.filter(({ type }) => /^(?:long )?text\b/.test(type))
  const telling = texts.filter(({ rules }) => rules.includes('required'))
  const unique = telling.find(({ rules }) => rules.includes('unique'))
  const usual = usualNames.flatMap(name => telling.find(({ key }) => key === name) ?? [])
  const called = [...usual, ...telling.filter(field => field !== unique)][0]
  const title = [called, unique].filter(field => field !== undefined).map(({ key }) => key)
  return title.length > 0 ? [...new Set(title)] : texts.slice(0, 1).map(({ key }) => key)
}
