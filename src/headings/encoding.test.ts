import { expect, test } from 'vitest'
import { readApp } from './index.ts'

const text =
  '# Desk\n\n- **Ninefold:** 1\n\n## 3 Entities and their fields\n\n### Gerät\n| Field | Type |\n| --- | --- |\n| größe | txt |\n'
const mark = Buffer.from([0xff, 0xfe])

test.each([
  ['UTF-16 with its mark', Buffer.concat([mark, Buffer.from(text, 'utf16le')]), 'UTF-16'],
  ['UTF-16 without', Buffer.from(text, 'utf16le'), 'UTF-16'],
  ['UTF-16 the other way round', Buffer.from(text, 'utf16le').swap16(), 'UTF-16'],
  ['what Windows wrote', Buffer.from(text, 'latin1'), 'WINDOWS-1252'],
])('%s is one mistake, which says how it is saved', (_, bytes, encoding) => {
  const { found } = readApp('desk.md', () => bytes.toString('utf8'))
  const errors = found.filter(({ severity }) => severity === 'error')
  expect(errors.map(({ code, message }) => [code, message])).toEqual([
    ['N0018', `this file is not UTF-8, but probably ${encoding}`],
  ])
  expect(errors[0]!.help).toContain(`iconv -f ${encoding} -t UTF-8 desk.md`)
})
