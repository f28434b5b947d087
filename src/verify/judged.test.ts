import { expect, test } from 'vitest'
import { loanDesk, readSound } from '../run/testing.ts'
import { Judged, reachOf } from './judged.ts'

const app = readSound(loanDesk)
const field = (entity: string, key: string) => app.entities.get(entity)!.fields.find(one => one.key === key)!
const openIn = (judged: Judged, heading: number) =>
  reachOf(app.document, judged).open.flatMap(({ heading: of, column, cell }) =>
    of === heading ? [`${column}: ${cell.text}`] : [],
  )

test('of a cell that says several things, each counts', () => {
  const judged = new Judged(app.document)
  const { claims } = reachOf(app.document, judged)
  expect(reachOf(app.document, judged)).toMatchObject({ judged: 0, open: { length: claims } })
  judged.add(field('item', 'value').min!.cell)
  expect(reachOf(app.document, judged).judged).toBe(1)
  expect(openIn(judged, 3)).not.toContain('Rules: min 0')
  expect(openIn(judged, 3)).toContain('Rules: required')
})

test('cells of a row, by one of them and the names of their columns', () => {
  const judged = new Judged(app.document)
  const [step] = app.workflows.get('loan')!.transitions
  judged.in(step!.cell, 'From', 'Who')
  const row = reachOf(app.document, judged).of.get(4)!
  expect(row.judged).toBe(2)
  judged.in(step!.cell, 'From', 'Who', 'Nothing')
  expect(reachOf(app.document, judged).of.get(4)).toEqual(row)
})

test('names, prose, examples, scenarios, and what is left open, claim nothing', () => {
  const all = reachOf(app.document, new Judged(app.document)).open.map(({ column, cell }) => `${column}: ${cell.text}`)
  expect(all.filter(one => /^(?:Field: number|State|Meaning|Result|What|Serves|Rule):/.test(one))).toEqual([])
  expect(all.filter(one => one.endsWith('TBD'))).toEqual([])
  expect(all).toContain('Create: no')
})
