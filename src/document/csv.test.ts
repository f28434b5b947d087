import { expect, test } from 'vitest'
import { readCsv } from './csv.ts'

const read = (text: string) => readCsv({ path: 'items.csv', text })
const texts = (text: string) => read(text)?.rows.map(row => row.cells.map(cell => cell.text))

test('values keep their places, also behind doubled quotes', () => {
  const text = 'tag,name\nCA-1, "a ""red"" one, new" \n'
  const cell = read(text)!.rows[0]!.cells[1]!
  expect(cell.text).toBe('a "red" one, new')
  expect(text.slice(cell.start, cell.end)).toBe('a ""red"" one, new')
  expect(cell.gaps).toEqual([2, 6])
})

test('empty lines, a mark of the byte order, what Windows ends lines with, and lines across lines', () => {
  expect(texts('\uFEFFa;b\r\n\r\n1;"x\ny"\r\n;\r\n2')).toEqual([
    ['1', 'x\ny'],
    ['2', ''],
  ])
})

test('rows that are too long are told, a quote without end ends with the file, nothing is no table', () => {
  expect(read('a,b\n1,2,3\n4,5')!.tooLong.map(({ start }) => start)).toEqual([4])
  expect(texts('a,b\n1,"2\n3')).toEqual([['1', '2\n3']])
  expect(read('')).toBe(null)
  expect(read('\n\n')).toBe(null)
})
