import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { StateDiagram } from './diagram.tsx'
import { layoutOf } from './layout.ts'
import { ReaderProvider, readerOf } from './reader.tsx'

const states = [
  { name: 'In', kind: 'start' },
  { name: 'Out', kind: 'end' },
  { name: 'Lost', kind: null },
] as const
const moves = [
  { name: 'hand out', from: 'In', to: 'Out' },
  { name: 'count', from: 'Lost', to: 'Lost' },
]

test.each([
  ['In', ['Out'], 'From here you can take it to Out.'],
  // Somebody else can, or they when it is weighed.
  ['In', [], 'At the moment no step of yours leads on from here.'],
  ['Out', [], 'Nothing leads on from here.'],
  ['Lost', [], 'Nothing leads on from here.'],
])('in %s, with steps to %j, its description says: %s', async (current, possible, said) => {
  const layout = await layoutOf(states, moves)
  const html = renderToString(
    <ReaderProvider reader={readerOf({ locale: 'en', zone: 'UTC', provenance: false, document: null })}>
      <StateDiagram layout={layout} rings={new Map()} current={current} possible={possible} passed={[]} />
    </ReaderProvider>,
  )
  const described = [...html.matchAll(/<desc[^>]*>(.*?)<\/desc>/g)].map(([, text]) => text!.replaceAll('<!-- -->', ''))
  expect(new Set(described)).toEqual(new Set([`It is now ${current}. ${said}`]))
})
