/** Whatever is written in a cell: an expression, or a diagnostic within the cell; never a crash, never both. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectGrowthWithLength } from '../../scripts/growth.ts'
import { sampled } from '../../scripts/limits.ts'
import { chance } from './differential/chance.ts'
import { generate } from './differential/generate.ts'
import { scope } from './differential/world.ts'
import { type ReadExpression, readExpression, readTemplate } from './read.ts'
import { cellOf } from './testing.ts'
import { toSql } from './to-sql.ts'

const words = fc.constantFrom(
  ...'or and not is empty in between contains starts with within where if then else true no other me my today now limits old this . , ( ) ( ) + - * / = != < <= || && == ! " 1 2.5 15% 3 days 2026-03-28 9:00 now2 i d t b who item lines lines.price count sum any all Loan Alpha who.manager old.i limits.most {{ } | : é 😀'.split(
    ' ',
  ),
)

function sound(text: string, { expression, found }: ReadExpression): void {
  expect(expression === null).toBe(found.length > 0)
  for (const { span, fixes } of found) {
    for (const one of [span, ...fixes.flatMap(fix => fix.edits.map(edit => edit.span))]) {
      expect(one.start).toBeGreaterThanOrEqual(0)
      expect(one.end).toBeGreaterThanOrEqual(one.start)
      expect(one.end).toBeLessThanOrEqual(text.length)
    }
  }
  if (expression !== null) toSql(expression, { alias: 't', old: 'o' })
}

test('words of the language in any order', () => {
  fc.assert(
    fc.property(fc.array(words, { maxLength: 25 }), list => {
      const text = list.join(' ')
      sound(text, readExpression(cellOf(text), scope))
      readTemplate(cellOf(`{${text}}`), scope)
    }),
    { numRuns: sampled(3000) },
  )
})

test('any text at all', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), text => {
      sound(text, readExpression(cellOf(text), scope))
      readTemplate(cellOf(text), scope)
    }),
    { numRuns: sampled(2000) },
  )
})

test('good expressions with a character too few, too many, or another', () => {
  const dice = chance(7)
  for (let run = 0; run < sampled(1500); run++) {
    const text = generate(dice)?.cell.text
    if (text === undefined) continue
    const at = dice.below(text.length)
    const put = dice.one(['', '(', ')', '"', '.', ' ', 'x', '=', '|', '1', text.slice(0, 5)])
    const mutant = text.slice(0, at) + put + text.slice(at + dice.below(3))
    sound(mutant, readExpression(cellOf(mutant), scope))
  }
})

test.each(['(', 'not ', '- ', 'i + ', 'b and ', 'count(', 'if ', 'i.', '"', '1', '{', 'any(lines where '])(
  'a cell full of %j is answered in time that grows with its length',
  piece => {
    expectGrowthWithLength(25_000, size => {
      const text = piece.repeat(Math.ceil(size / piece.length))
      sound(text, readExpression(cellOf(text), scope))
    })
  },
)
