/** Tables as they are written: rows by the names of their columns, and the pieces of a cell. It knows of no heading. */
import type { Cell } from '../../document/source.ts'
import type { Block, Content, Document, Section, Subject } from '../../document/tree.ts'

/** A row of a table, or a block that says the same in bullets; null: it has no such cell. */
export type Row = (column: string) => Cell | null

const same = (one: string, other: string): boolean => one.trim().toLowerCase() === other.toLowerCase()

/** Rows of the tables that have these columns, and blocks that have the second as a key. */
export function rowsOf(
  content: Content & { readonly blocks?: readonly Block[] },
  ...columns: readonly string[]
): Row[] {
  const tables = content.tables.filter(({ header }) =>
    columns.every(name => header.some(({ text }) => same(text, name))),
  )
  const rows = tables.flatMap(({ header, rows: all }) =>
    all.map(
      ({ cells }): Row =>
        name =>
          cells[header.findIndex(({ text }) => same(text, name))] ?? null,
    ),
  )
  const blocks = (content.blocks ?? []).filter(({ properties }) =>
    properties.some(({ key }) => same(key.text, columns[1]!)),
  )
  return [
    ...rows,
    ...blocks.map(
      ({ title, properties }): Row =>
        name =>
          same(name, columns[0]!) ? title : (properties.find(({ key }) => same(key.text, name))?.value ?? null),
    ),
  ]
}

export const sectionsOf = ({ sections }: Document, number: number): readonly Section[] =>
  sections.filter(section => section.number === number)

export const subjectsOf = (document: Document, number: number): readonly Subject[] =>
  sectionsOf(document, number).flatMap(({ subjects }) => subjects)

export const saysOf = (content: Pick<Content, 'properties'>, name: string): string | null =>
  content.properties.find(({ key }) => same(key.text, name))?.value.text ?? null

/** Outside of quotes, code and brackets; without the marks of code around a piece. */
export function pieces(text: string, separator: string): readonly string[] {
  const found: string[] = ['']
  let [depth, quote] = [0, '']
  for (const letter of text) {
    if (quote === '' && depth === 0 && letter === separator) found.push('')
    else found.push(found.pop()! + letter)
    if (quote !== '') quote = letter === quote ? '' : quote
    else if (letter === '"' || letter === '`') quote = letter
    else if (letter === '(') depth++
    else if (letter === ')') depth--
  }
  return found.map(bare).filter(piece => piece !== '')
}

export const bare = (text: string): string =>
  text
    .trim()
    .replace(/^`([^`]*)`$/, '$1')
    .trim()

/** `none`, `no`, a dash, or nothing. */
export const isNone = (text: string | null | undefined): boolean =>
  text == null || /^(?:none|no|[-–—]|)$/i.test(text.trim())

/** What the document leaves open: then nobody may, and nothing is known. */
export const isOpen = (text: string): boolean =>
  /^(?:tbd|not shown|unspecified|to be decided|\?)(?:\s*\.)?(?:\s*\(.*\))?(?:\s*\.)?$/i.test(text.trim())

/** `Loan line` is `loan_line`. */
export const keyOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .replace(/^(?=\d)/, '_')

/** Of a step: apart from what happens to every record, and where no letter from a to z is in it, by its characters. */
export function stepKeyOf(name: string): string {
  const key = keyOf(name)
  if (/^(?:create|change|delete)d?$/.test(key)) return `step_${key}`
  const letters = [...name].filter(one => /[\p{L}\p{N}]/u.test(one))
  return key || letters.map(one => `u${one.codePointAt(0)!.toString(16).padStart(4, '0')}`).join('_')
}
