/** Rows of a list as cells of a file: the values themselves, not how a page shows them, so that a file can be read back. */

import { isPercent } from '../../expression/fit.ts'
import type { Type, Wire } from '../../expression/type.ts'
import { currencyPlaces } from '../../expression/values.ts'
import { cellMoment } from '../../kinds/fields/dates.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { namesUnseen } from '../../kinds/fields/reference/unseen.ts'
import type { ReadRow } from '../../kinds/screens/read-data.ts'
import { wordsIn } from '../../run/problems/words.ts'
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

function showsAs(type: Type): SheetColumn {
  if (isPercent(type)) return 'percent'
  switch (type.kind) {
    case 'money':
      return { amount: type.places ?? currencyPlaces(type.currency) }
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
