import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellAt } from '../../document/cell.ts'
import { fillHoles } from '../../expression/holes.ts'
import { raw, statement } from '../../expression/sql.ts'
import type { FieldKind, FieldParameters, Parsed } from './field-kind.ts'
import { fieldKind, fieldKinds, readType } from './index.ts'
import { parseExact } from './json/exact.ts'
import { englishRefusals, type RefusalCode } from './refusals.ts'

const entities = new Map([['Category', 'category']])
const locales = ['en', 'de', 'fr', 'de-CH', 'en-IN', 'ar-EG']
const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns']

function parametersOf(kind: FieldKind, type: string): FieldParameters {
  const argument = kind.name === 'reference' ? type : type.slice(kind.name.length).replace(/^:/, '').trim()
  const read = kind.read(argument, entities)
  if ('wrong' in read) throw new Error(read.wrong)
  return read
}

const outcome = (parsed: Parsed) => ('invalid' in parsed ? parsed.invalid : parsed.value)

for (const kind of fieldKinds.values())
  describe(kind.name, () => {
    for (const example of kind.examples) {
      const parameters = parametersOf(kind, example.type)

      test(`${example.type}: the type cell is read`, () => {
        const cell = cellAt({ path: 'app.md', text: example.type }, 0, example.type.length)
        const read = readType(cell, entities, 'Loan.x')
        expect(read).toEqual({ kind, parameters, type: kind.type(parameters, 'Loan.x'), cell })
      })

      test.each(example.good)(`${example.type}: %j is read, shown and read again`, ({ text, wire }) => {
        expect(kind.parse(text, parameters, 'en', 'UTC')).toEqual({ value: wire })
        if (!kind.received) expect(kind.fromJson(wire, parameters)).toEqual({ value: wire })
        // What is sealed is never given again.
        if (kind.sealed) expect([kind.input(wire, parameters), kind.toJson(wire, parameters)]).toEqual(['', null])
        if (kind.sealed) return
        expect(kind.parse(kind.input(wire, parameters), parameters, 'en', 'UTC')).toEqual({ value: wire })
        for (const locale of locales)
          for (const zone of zones)
            expect(kind.parse(kind.input(wire, parameters, locale, zone), parameters, locale, zone)).toEqual({
              value: wire,
            })
        expect(kind.fromJson(parseExact(JSON.stringify(kind.toJson(wire, parameters))), parameters)).toEqual({
          value: wire,
        })
      })

      test.each(example.bad.map(text => [text]))(`${example.type}: %j is refused with a message`, text => {
        const parsedAll = kind.received
          ? [kind.parse(text, parameters, 'en', 'UTC')]
          : [kind.parse(text, parameters, 'en', 'UTC'), kind.fromJson(text, parameters)]
        for (const parsed of parsedAll) {
          expect(parsed).toHaveProperty('invalid')
          if (!('invalid' in parsed)) return
          expect(Object.keys(englishRefusals)).toContain(parsed.invalid.code)
          const { code, detail } = parsed.invalid
          const { message } = englishRefusals[code as RefusalCode]
          expect(fillHoles(message, { ...detail, label: 'Amount' }, 'en')).toMatch(/^[^{}]*Amount[^{}]*\.$/)
        }
      })

      test(`${example.type}: anything that is not its JSON is refused`, () => {
        for (const json of kind.received
          ? [null, undefined]
          : [null, undefined, [], {}, [''], { value: 'x' }, Number.NaN])
          expect(kind.fromJson(json, parameters)).toHaveProperty('invalid')
      })

      test(`${example.type}: no text whatever makes it fail, and what it takes it takes again`, () => {
        const any = fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string({ unit: fc.constantFrom(...'0123456789.,-+: TZ/eE\u0000\ud800\u202f') }),
          fc
            .constantFrom(...example.good.map(({ text }) => text), '')
            .chain(text => fc.integer({ min: 0, max: text.length }).map(at => text.slice(at) + text.slice(0, at))),
        )
        fc.assert(
          fc.property(example.good.length > 0 ? any : fc.string(), fc.constantFrom(...locales), (text, locale) => {
            const first = kind.parse(text, parameters, locale, 'Europe/Berlin')
            if ('invalid' in first || first.value === null || kind.sealed) return
            expect(
              outcome(
                kind.parse(
                  kind.input(first.value, parameters, locale, 'Europe/Berlin'),
                  parameters,
                  locale,
                  'Europe/Berlin',
                ),
              ),
            ).toBe(first.value)
            expect(outcome(kind.fromJson(kind.toJson(first.value, parameters), parameters))).toBe(first.value)
            if (typeof first.value === 'string') expect(first.value.isWellFormed() && first.value !== '').toBe(true)
          }),
          { numRuns: 300 },
        )
      })

      test(`${example.type}: values that nobody wrote are good ones, each another as long as there are more`, () => {
        const samples = Array.from({ length: 30 }, (_, at) => kind.sample(at + 1, parameters))
        const isMadeUp = !['reference', 'list', 'file'].includes(kind.type(parameters, '').kind) && kind.entered
        const many = parameters.choices?.length ?? (kind.type(parameters, '').kind === 'yes/no' ? 2 : samples.length)
        expect(new Set(samples).size).toBe(isMadeUp ? many : 1)
        for (const wire of isMadeUp ? samples : []) {
          expect(wire).not.toBe(null)
          const json = kind.sealed ? wire : kind.toJson(wire, parameters)
          expect(kind.fromJson(json, parameters)).toEqual({ value: wire })
        }
        if (!isMadeUp) expect(samples[0]).toBe(null)
      })

      test(`${example.type}: its check has no parameters and names only the column`, () => {
        const check = kind.check(parameters, raw('"x"'))
        if (check !== null) expect(statement(check).text).not.toMatch(/\$\d/)
      })
    }

    test('null is empty in forms and null in JSON', () => {
      expect(kind.input(null, {})).toBe('')
      expect(kind.toJson(null, {})).toBe(null)
    })
  })

test('a name outside the registry is a mistake of ours', () => {
  expect(() => fieldKind('geo point')).toThrow('geo point')
})
