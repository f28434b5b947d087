import { beforeAll, expect, test } from 'vitest'
import type { GraphState } from '../headings/4-states/ends.ts'
import type { Move } from '../headings/4-states/moves.ts'
import { boxWidth, type DiagramLayout, type DiagramNode, type Geometry, layoutOf } from './layout.ts'

const states: readonly GraphState[] = [
  { name: 'Draft', kind: 'start' },
  { name: 'Requested', kind: null },
  { name: 'Approved', kind: null },
  { name: 'Out', kind: null },
  { name: 'Overdue', kind: null },
  { name: 'Returned', kind: 'end' },
  { name: 'Declined', kind: 'end' },
]
const moves: readonly Move[] = [
  { name: 'submit', from: 'Draft', to: 'Requested' },
  { name: 'approve', from: 'Requested', to: 'Approved' },
  { name: 'decline', from: 'Requested', to: 'Declined' },
  { name: 'send back', from: 'Requested', to: 'Draft' },
  { name: 'hand out', from: 'Approved', to: 'Out' },
  { name: 'take back', from: 'Out', to: 'Returned' },
  { name: 'take back', from: 'Overdue', to: 'Returned' },
  { name: 'overdue', from: 'Out', to: 'Overdue' },
  { name: 'remind', from: 'Overdue', to: 'Overdue' },
  { name: 'gone', from: 'Out', to: 'Nowhere' },
]
let layout: DiagramLayout

beforeAll(async () => {
  layout = await layoutOf(states, moves)
})

const box = (geometry: Geometry, name: string) => geometry.nodes.find(node => node.state === name) as DiagramNode

test('a workflow without states or moves has an empty diagram', async () => {
  expect((await layoutOf([], [])).right.nodes).toEqual([])
  expect((await layoutOf([{ name: 'Only', kind: null }], [])).down.nodes).toHaveLength(1)
})

test('a move that stays, or that leads out of the document, has no line; the others have one each', () => {
  expect(layout.right.edges).toHaveLength(8)
  expect(layout.right.edges.every(edge => /^M[-\d. ]+L/.test(edge.path))).toBe(true)
})

test.each(['right', 'down'] as const)('%s: boxes do not overlap, fit, and the way runs in the direction', way => {
  const geometry = layout[way]
  for (const a of geometry.nodes) {
    expect(a.x >= 0 && a.y >= 0 && a.x + a.width <= geometry.width && a.y + a.height <= geometry.height).toBe(true)
    for (const b of geometry.nodes)
      if (a !== b)
        expect(
          a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y,
          `${a.state} ${b.state}`,
        ).toBe(true)
  }
  const along = (name: string) => (way === 'right' ? box(geometry, name).x : box(geometry, name).y)
  const order = ['Draft', 'Requested', 'Approved', 'Out', 'Returned'].map(along)
  expect(order).toEqual([...order].sort((a, b) => a - b))
})

test('the good way is straight when it runs to the right', () => {
  const middles = ['Draft', 'Requested', 'Approved', 'Out'].map(name => box(layout.right, name).y)
  expect(Math.max(...middles) - Math.min(...middles)).toBeLessThanOrEqual(24)
})

test('a box is wide enough for its name', () => {
  expect(boxWidth('Needs changes')).toBeGreaterThan(13 * 6 + 40)
  expect(boxWidth('WWWWWWWW')).toBeGreaterThan(boxWidth('iiiiiiii'))
})
