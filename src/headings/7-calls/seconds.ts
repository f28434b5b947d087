/** Lengths of time, as calls and their answers write them. */
import { slice } from '../../document/cell.ts'
import type { Fix } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { nearest } from '../../document/nearest.ts'
import type { Cell } from '../../document/source.ts'

const units: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600, day: 86_400 }

/** `10 seconds` → 10; null for anything else. */
export function secondsOf(text: string): number | null {
  const parts = /^(\d{1,6})\s*([a-z]+?)s?$/i.exec(text.trim())
  const unit = units[parts?.[2]?.toLowerCase() ?? '']
  return unit === undefined ? null : Number(parts![1]) * unit
}

/** The fix for a misspelt unit, or for a number without one. */
export function fixUnit(cell: Cell): readonly Fix[] {
  const parts = /^(\d+)\s*([a-z]*)$/i.exec(cell.text)
  if (parts === null) return []
  if (parts[2] === '') return [writeInstead(cell, `${cell.text} seconds`)]
  const meant = nearest(parts[2]!, ['seconds', 'minutes', 'hours', 'days'])
  return meant === null ? [] : [writeInstead(slice(cell, cell.text.length - parts[2]!.length), meant)]
}
