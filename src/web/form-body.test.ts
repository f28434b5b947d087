import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formFields, jsonDepth } from './bounds.ts'
import { parseForm, parseJson } from './form-body.ts'

const form = 'application/x-www-form-urlencoded'

test('other types, too many fields, too deep JSON are refused before they are built', () => {
  expect(parseForm('multipart/form-data', Buffer.from('a=1'))).toMatchObject({ status: 415 })
  expect(parseForm(form, Buffer.from('a=1&'.repeat(formFields + 1)))).toMatchObject({ status: 413 })
  expect(parseJson('text/plain', Buffer.from('{}'))).toMatchObject({ status: 415 })
  expect(parseJson('application/json', Buffer.from('['.repeat(100_000)))).toMatchObject({ status: 400 })
  expect(
    parseJson('application/json', Buffer.from(`${'{"a":'.repeat(jsonDepth + 1)}1${'}'.repeat(jsonDepth + 1)}`)),
  ).toMatchObject({ status: 400 })
  expect(parseJson('application/json', Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({ status: 400 })
  expect(parseJson('application/json', Buffer.from('{'))).toMatchObject({ status: 400 })
})

test('brackets inside texts are no levels', () => {
  const deep = { a: '[{'.repeat(1000), b: '"\\"[[', c: [[1]] }
  expect(parseJson('application/json; charset=utf-8', Buffer.from(JSON.stringify(deep)))).toEqual({ value: deep })
})

test('any form that a browser writes comes back', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })), { maxLength: 20 }),
      pairs => {
        const body = parseForm(`${form}; charset=utf-8`, Buffer.from(new URLSearchParams(pairs).toString()))
        expect('value' in body && [...body.value]).toEqual(pairs)
      },
    ),
  )
})

test('any bytes are a form or a refusal', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
      expect(parseForm(form, Buffer.from(bytes))).toBeDefined()
      expect(parseJson('application/json', Buffer.from(bytes))).toBeDefined()
    }),
  )
})
