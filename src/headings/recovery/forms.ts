/** What each of the nine headings is known by: the tables and bold keys that stand under it, and below its headings 3. */
import type { TableSchema } from '../../document/columns.ts'
import type { Table } from '../../document/tree.ts'
import { properties as productKeys } from '../1-product/table.ts'
import { routes, properties as screenKeys } from '../2-screens/table.ts'
import { entityKeys, fields } from '../3-entities/table.ts'
import { approvals, effects, states, timers, transitions } from '../4-states/table.ts'
import { rules } from '../5-validation/table.ts'
import { fieldMatrix, matrix, sectionKeys as permissionKeys, roles } from '../6-permissions/table.ts'
import {
  answers,
  properties as callKeys,
  sectionKeys as callSectionKeys,
  calls,
  mails,
  received,
  send,
  settings,
} from '../7-calls/table.ts'
import { errors } from '../8-errors/table.ts'
import { constants, workingTime } from '../9-limits/table.ts'
import { steps } from '../scenario-table.ts'

interface Forms {
  readonly tables: readonly TableSchema[]
  /** Tables that stand only below a heading 3. */
  readonly below: readonly TableSchema[]
  /** Keys, wherever they stand. */
  readonly keys: readonly TableSchema[]
}

const none: Forms = { tables: [], below: [], keys: [] }

/** Heading `n` is at index `n - 1`. */
const forms: readonly Forms[] = [
  { ...none, keys: [productKeys] },
  { ...none, tables: [routes], keys: [screenKeys] },
  { ...none, below: [fields], keys: [entityKeys] },
  { ...none, tables: [effects, timers], below: [states, transitions, approvals] },
  { ...none, tables: [rules] },
  { tables: [roles], below: [matrix, fieldMatrix], keys: [permissionKeys] },
  { tables: [settings, calls, mails], below: [send, answers, received], keys: [callSectionKeys, callKeys] },
  { ...none, tables: [errors] },
  { ...none, tables: [constants], keys: [workingTime] },
]

const formsOf = (number: number): Forms => forms[number - 1] ?? none

const isOf = ({ header }: Table, schema: TableSchema): boolean =>
  hasColumns(
    header.map(({ text }) => text),
    schema,
  )

function hasColumns(header: readonly string[], { columns }: TableSchema): boolean {
  const has = header.map(text => text.toLowerCase())
  return (
    columns.every(({ name, required }) => !required || has.includes(name.toLowerCase())) &&
    has.every(text => columns.some(({ name }) => name.toLowerCase() === text))
  )
}

/** The number of the heading that a table with these columns belongs to, at whatever depth; null where it is none of them. */
export function headingOfTable(header: readonly string[]): number | null {
  const index = forms.findIndex(({ tables, below }) => [...tables, ...below].some(schema => hasColumns(header, schema)))
  return index < 0 ? null : index + 1
}

/** Whether a table with these columns stands only below a heading 3 of a heading. */
export const isBelowSubject = (number: number, header: readonly string[]): boolean =>
  formsOf(number).below.some(schema => hasColumns(header, schema))

/** Whether a table is one of those that stand under a heading, at whatever depth. */
export const isTableOf = (number: number, table: Table): boolean =>
  [...formsOf(number).tables, ...formsOf(number).below].some(schema => isOf(table, schema))

/** Whether a table is one of those that stand only below a heading 3 of a heading. */
export const isTableBelow = (number: number, table: Table): boolean =>
  formsOf(number).below.some(schema => isOf(table, schema))

/** Whether a bold key is one of those of a heading. */
export const isKeyOf = (number: number, key: string): boolean =>
  formsOf(number).keys.some(({ columns }) => columns.some(({ name }) => name.toLowerCase() === key.toLowerCase()))

/** Whether a table lists states: an entity has them once. */
export const isStates = (table: Table): boolean => isOf(table, states)

/** Whether a table lists the fields of an entity. */
export const isFields = (table: Table): boolean => isOf(table, fields)

/** Whether a table is the steps of a scenario. */
export const isScenario = (table: Table): boolean => isOf(table, steps)
