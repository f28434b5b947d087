/** Rows of one record in a file: what each of them is about is known without looking through the others. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RecordValue } from '../../expression/type.ts'
import { readSound } from '../testing.ts'
import { type FileRow, laidOver } from './import-rows.ts'

const app = readSound(join(import.meta.dirname, '../../web/fixtures/jobs.md'))

/** How often the rows that are stored are looked at. */
function looksAt(count: number): number {
  let looks = 0
  const part = (at: number): RecordValue =>
    new Proxy<RecordValue>(
      { id: `part ${at}`, name: `Part ${at}`, tasks: [] },
      {
        get(of, key) {
          looks++
          return of[key as string]
        },
      },
    )
  const rows = Array.from({ length: count }, (_, at): FileRow => {
    const name = `Part ${count - at}`
    return { at, number: null, values: { name, hint: 'Wet' }, texts: { name, hint: 'Wet' }, invalid: [], rows: {} }
  })
  const stored: RecordValue = { id: 'job', parts: Array.from({ length: count }, (_, at) => part(at + 1)) }
  const { children } = laidOver(app, 'job', { parts: rows }, stored, () => true)
  expect(children.parts!.map(({ id, values }) => [id, values])).toEqual(
    Array.from({ length: count }, (_, at) => [`part ${at + 1}`, { hint: 'Wet' }]),
  )
  return looks
}

test('four times the rows are looked at four times as often', () => {
  expect(looksAt(400)).toBeLessThan(5 * looksAt(100))
})
