import { expect, test } from 'vitest'
import type { GraphState } from '../headings/4-states/ends.ts'
import type { Move } from '../headings/4-states/moves.ts'
import { goodWay, leadsBack, ringsOf } from './states.ts'

const state = (name: string, kind: GraphState['kind'] = null): GraphState => ({ name, kind })
const move = (from: string, to: string): Move => ({ from, to, name: `${from} to ${to}` })

const loanStates = [
  state('Draft', 'start'),
  state('Requested'),
  state('Approved'),
  state('Out'),
  state('Overdue'),
  state('Returned', 'end'),
  state('Declined', 'end'),
]
const loanMoves = [
  move('Draft', 'Requested'),
  move('Requested', 'Approved'),
  move('Requested', 'Declined'),
  move('Approved', 'Out'),
  move('Out', 'Returned'),
  move('Overdue', 'Returned'),
  move('Out', 'Overdue'),
]

test('no states, no rings', () => {
  expect(ringsOf([], []).size).toBe(0)
  expect(goodWay([], [])).toEqual([])
})

test('a state that nothing leads to is shown as unknown, not as progress', () => {
  const rings = ringsOf([state('New', 'start'), state('Lost'), state('Done', 'end')], [move('New', 'Done')])
  expect(rings.get('Lost')).toEqual({ family: 'mute', shape: 'part', part: 0 })
})

test('the loan: dashed start, quarters on the way, a tick at the far end, a cross at the short cut, waiting beside the way', () => {
  const rings = ringsOf(loanStates, loanMoves)
  expect(rings.get('Draft')).toEqual({ family: 'mute', shape: 'start', part: 0 })
  expect(rings.get('Requested')).toEqual({ family: 'go', shape: 'part', part: 0.25 })
  expect(rings.get('Out')).toEqual({ family: 'go', shape: 'part', part: 0.75 })
  expect(rings.get('Overdue')).toEqual({ family: 'wait', shape: 'part', part: 0.8 })
  expect(rings.get('Returned')).toEqual({ family: 'good', shape: 'tick', part: 1 })
  expect(rings.get('Declined')).toEqual({ family: 'bad', shape: 'cross', part: 1 })
  expect(goodWay(loanStates, loanMoves)).toEqual(['Draft', 'Requested', 'Approved', 'Out', 'Returned'])
})

test('of ends equally far the first in the document is the good one, unless the document says which', () => {
  const moves = [move('Asked', 'Yes'), move('Asked', 'No')]
  const asked = state('Asked', 'start')
  expect(ringsOf([asked, state('Yes', 'end'), state('No', 'end')], moves).get('No')?.shape).toBe('cross')
  const said = [
    asked,
    { ...state('Yes', 'end'), outcome: 'bad' as const },
    { ...state('No', 'end'), outcome: 'good' as const },
  ]
  expect(ringsOf(said, moves).get('Yes')?.shape).toBe('cross')
  expect(ringsOf(said, moves).get('No')?.shape).toBe('tick')
})

test('a life without an end still shows progress, and cycles do no harm', () => {
  const rings = ringsOf([state('On'), state('Off')], [move('On', 'Off'), move('Off', 'On')])
  expect(rings.get('On')?.shape).toBe('start')
  expect(rings.get('Off')).toEqual({ family: 'go', shape: 'part', part: 0.5 })
})

test('a way back is one from a state that is on its way, not one out of a halt', () => {
  const halted = [...loanStates, state('Sent back')]
  const moves = [...loanMoves, move('Requested', 'Draft'), move('Requested', 'Sent back'), move('Sent back', 'Draft')]
  const rings = ringsOf(halted, moves)
  const isBack = (from: string, to: string) => leadsBack(rings.get(from)!, rings.get(to)!)
  expect([isBack('Requested', 'Draft'), isBack('Out', 'Requested')]).toEqual([true, true])
  expect([isBack('Draft', 'Requested'), isBack('Requested', 'Sent back'), isBack('Out', 'Returned')]).toEqual([
    false,
    false,
    false,
  ])
  expect(isBack('Sent back', 'Draft')).toBe(false)
})
