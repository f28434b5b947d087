import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readApp } from '../../headings/index.ts'
import { inGerman } from './gaps.ts'

const headings = new URL('../../headings/', import.meta.url)

test('whatever the documents of the tests leave open is said in German', () => {
  const texts = readdirSync(headings, { recursive: true, encoding: 'utf8' })
    .filter(path => /fixtures[\\/][^\\/]+\.md$/.test(path))
    .flatMap(path => {
      const text = readFileSync(new URL(path, headings), 'utf8')
      const { app } = readApp('one.md', asked => (asked === 'one.md' ? text : null))
      return app!.gaps.flatMap(({ what, consequence }) => [what, consequence])
    })
  expect(texts.length).toBeGreaterThan(200)
  expect(texts.filter(text => inGerman(text) === null)).toEqual([])
})

test('what stands in the holes is kept, and parts of it are German too', () => {
  expect(inGerman('the condition of timer lapse')).toBe('die Bedingung des Zeitgebers lapse')
  expect(inGerman('unknown, so *approve* stays closed')).toBe('unbekannt, darum: *approve* bleibt geschlossen')
  expect(inGerman('a role: the council')).toBe('eine Rolle: the council')
  expect(inGerman('12 texts in German: `Out`, `Item` and 10 more')).toBe(
    '12 Texte auf Deutsch: `Out`, `Item` und 10 weitere',
  )
  expect(inGerman('nothing like this')).toBe(null)
})
