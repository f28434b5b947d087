/** Rows of a list as cells of a file: the values themselves, not how a page shows them, so that a file can be read back. */

import { isFixed, placesIn } from '../../expression/currency.ts'
import { isPercent } from '../../expression/fit.ts'
import type { Type, Wire } from '../../expression/type.ts'
import { cellMoment } from '../../kinds/fields/dates.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { namesUnseen } from '../../kinds/fields/reference/unseen.ts'
import type { ReadRow } from '../../kinds/screens/read-data.ts'
import { listLabel, numberLabel, rowsLabel } from '../../run/many/import-fields.ts'
import { wordsIn } from '../../run/problems/words.ts'
import type { ReadChildren } from '../../run/read/children.ts'
import type { ListOut } from '../../run/read/read-out.ts'
import type { DeepList } from '../../run/write/draft-record.ts'
import { firstCell, type SheetCell, type SheetColumn } from '../sheets.ts'
import { type FieldInfo, fieldInfo, linksTo, type Site } from '../site.ts'

interface SheetColumns {
  readonly labels: readonly string[]
  readonly shows: readonly SheetColumn[]
  readonly cells: (row: ReadRow) => readonly SheetCell[]
}

/** `typed`: with cells of numbers, dates and yes/no, as Excel has them. */
export function sheetColumns(site: Site, entity: string, keys: readonly string[], typed: boolean): SheetColumns {
  const infos = keys.flatMap(key => fieldInfo(site.app, entity, key) ?? [])
  return {
    labels: infos.map(({ label }) => label),
    shows: infos.map(({ type }) => showsAs(type)),
    cells: ({ values, labels }) =>
      infos.map(info => {
        const wire = values[info.key]
        if (wire === null || wire === undefined || typeof wire === 'object') return null
        if (info.type.kind === 'reference' || linksTo(info) !== null) {
          const label = labels[info.key] ?? null
          if (!namesUnseen(wire)) return label
          return [...(label === null ? [] : [label]), wordsIn(site.reader.locale).unseen].join(', ')
        }
        return (typed ? typedCell(site, info, wire) : null) ?? textCell(site, info, wire)
      }),
  }
}

/** The same with the rows of each record, and theirs, below each other. */
export function rowColumns(site: Site, entity: string, lists: readonly ListOut[], typed: boolean): RowColumns {
  const parts = lists.map(({ list, fields }) => ({
    list,
    of: listLabel(site.app, entity, list),
    own: sheetColumns(site, list.entity, fields, typed),
  }))
  const widths = parts.map(({ own }) => own.labels.length + 1)
  const at = (place: number) => widths.slice(0, place).reduce((sum, width) => sum + width, 0)
  const linesOf = (above: DeepList | null, children: ReadChildren['children']): readonly Line[] => {
    const lists = parts.flatMap(({ list, own }, place) =>
      list.within !== above
        ? []
        : [
            (children[list.field] ?? []).flatMap((row, index) => {
              const cells = new Map(
                [index + 1, ...own.cells(row)].map((cell, column): [number, SheetCell] => [at(place) + column, cell]),
              )
              const inner = linesOf(list, row.children)
              return inner.length === 0 ? [cells] : inner.map(line => new Map([...cells, ...line]))
            }),
          ],
    )
    // Lists of one record stand beside each other.
    return Array.from({ length: Math.max(0, ...lists.map(({ length }) => length)) }, (_, line) => {
      return new Map(lists.flatMap(one => [...(one[line] ?? [])]))
    })
  }
  return {
    labels: parts.flatMap(({ of, own }) => [numberLabel(of), ...own.labels.map(label => rowsLabel(of, label))]),
    shows: parts.flatMap(({ own }): readonly SheetColumn[] => ['number', ...own.shows]),
    lines(children) {
      const lines = linesOf(null, children)
      const width = at(parts.length)
      return (lines.length === 0 ? [new Map()] : lines).map(line =>
        Array.from({ length: width }, (_, column): SheetCell => line.get(column) ?? null),
      )
    },
  }
}

/** By the place of the column. */
type Line = ReadonlyMap<number, SheetCell>

interface RowColumns {
  readonly labels: readonly string[]
  readonly shows: readonly SheetColumn[]
  /** At least one for each record. */
  readonly lines: (children: ReadChildren['children']) => readonly (readonly SheetCell[])[]
}

function showsAs(type: Type): SheetColumn {
  if (isPercent(type)) return 'percent'
  switch (type.kind) {
    case 'money':
      return isFixed(type) ? { amount: type.places ?? placesIn(type) } : 'number'
    case 'integer':
    case 'decimal':
      return 'number'
    case 'date':
    case 'moment':
      return type.kind
    default:
      return 'text'
  }
}

/** Canonical, moments in the application's zone, as files are read: `2026-03-02`, `2026-03-02 14:05:00`, `5000.00`, `yes`. */
function textCell({ app }: Site, { type, field }: FieldInfo, wire: Wire): string {
  if (type.kind === 'moment') return cellMoment(String(wire), app.product.timeZone.name)
  return field === null ? String(wire) : fieldKind(field.kind).input(wire, field.parameters)
}

/** Null where Excel has no such cell, would round it (it keeps 15 digits), has no such day, or could mean two moments by it. */
function typedCell({ app }: Site, { type }: FieldInfo, wire: string | boolean): SheetCell {
  switch (type.kind) {
    case 'yes/no':
      return wire === true
    case 'integer':
    case 'decimal':
    case 'money':
      return String(wire).replace(/\D/g, '').length <= 15 ? Number(wire) : null
    case 'date':
      return dayCell(`${wire}T00:00:00Z`)
    case 'moment': {
      const local = cellMoment(String(wire), app.product.timeZone.name)
      return local.endsWith('Z') ? null : dayCell(`${local.replace(' ', 'T')}Z`)
    }
    default:
      return null
  }
}

function dayCell(iso: string): Date | null {
  const date = new Date(iso)
  return date.getTime() < firstCell ? null : date
}
