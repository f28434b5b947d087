import { expect, test } from 'vitest'
import { appOf } from '../../kinds/testing.ts'
import { firstDayOf } from './week.ts'

test('weeks begin as where the first language is spoken, unless the document says on which day', () => {
  expect(['en', 'de', 'fr', 'en-GB', 'en-US', 'pt-BR', 'ar-EG'].map(firstDayOf)).toEqual([0, 0, 0, 0, 6, 6, 5])
  const begins = (lines: string) =>
    appOf(`# Desk\n\n## 1 What the product does and for whom\n\n${lines}\n`).product.weekBegins.day
  expect(begins('- **Languages:** en-US, German')).toBe(6)
  expect(begins('- **Languages:** German, en-US')).toBe(0)
  expect(begins('- **Languages:** German\n- **Week begins:** saturday')).toBe(5)
  expect(begins('')).toBe(0)
})
