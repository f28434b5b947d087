/** The mechanical map between what people read (`Loan line`, "Due back") and what expressions, tables and addresses use. */
import { reservedWords } from './ast.ts'

/** `Loan line` → `loan_line`. Anything that no name can hold becomes `_`; a leading digit gets one before it. */
export function keyOf(name: string): string {
  const key = name
    .trim()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  return /^[0-9]/.test(key) ? `_${key}` : key
}

/** The key of what no expression names, as a screen or a role: where it has no letter from a to z, by its characters, `u0448_u0435_u0444`. */
export const codeOf = (name: string): string =>
  keyOf(name) ||
  Array.from(name.matchAll(/[\p{L}\p{N}]/gu), ([one]) => `u${one.codePointAt(0)!.toString(16).padStart(4, '0')}`).join(
    '_',
  )

/** What happens to every record, and what that is called once it has. */
const everyRecords: ReadonlySet<string> = new Set(['create', 'change', 'delete', 'created', 'changed', 'deleted'])

/** Behind this word a step is meant, where its name alone means what happens to every record: `on step delete`. */
export const stepWord = 'step'

/** Whether a step needs `stepWord` where what happens to every record may stand, too. */
export const isShadowed = (step: string): boolean => everyRecords.has(keyOf(step))

/** The key of a step: in addresses, in the API and in what is stored of it. */
export const stepKeyOf = (name: string): string => (isShadowed(name) ? `${stepWord}_${keyOf(name)}` : codeOf(name))

const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }

/** The name that was meant by what cannot be one: `dueBack` → `due_back`, `größe` → `groesse`. */
export const nameMeant = (written: string): string =>
  keyOf(
    written
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
      .normalize('NFC')
      .replace(/[äöüß]/gi, letter => umlauts[letter.toLowerCase()]!),
  )

/** `due_back` → "Due back". */
export function labelOf(key: string): string {
  const words = key.replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Whether a word can be written in an expression: `[a-z][a-z0-9_]*`, and not a word of the grammar. */
export function isName(word: string): boolean {
  return /^[a-z][a-z0-9_]*$/.test(word) && !reservedWords.has(word)
}
