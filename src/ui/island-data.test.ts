import fc from 'fast-check'
import { expect, test } from 'vitest'
import { islandJson } from './island-data.ts'
import type { ReaderOptions } from './reader.tsx'

const reader = { provenance: true } as ReaderOptions

test('what stands in the data of an island neither ends its element nor is it changed', () => {
  const hostile = '</script><!--<script>alert(1)</script>\u2028\u2029'
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      for (const said of [text, hostile + text]) {
        const json = islandJson(reader, { said, [said]: 1 })
        expect(json).not.toMatch(/[<\u2028\u2029]/)
        expect(JSON.parse(json).data.said).toBe(said)
      }
    }),
    { numRuns: 20 },
  )
})
