import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { logTo, writeEntry } from './log.ts'

const hostile = '/loans\r\n{"level":30,"event":"sign-in","ok":true}\u001b[2J\u2028'

function written(detail: Readonly<Record<string, unknown>>): readonly Record<string, unknown>[] {
  const lines: string[] = []
  const log = logTo({ write: line => lines.push(line) })
  writeEntry(log, { level: 'warn', event: 'sign-in', request: '01a2', detail })
  return lines
    .join('')
    .split(/[\r\n]/)
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
}

test('an event is one line of JSON, whatever somebody sent stands in it', () => {
  expect(written({ ok: false, path: hostile })).toMatchObject([{ event: 'sign-in', ok: false, path: hostile }])
})

test('each line says when, where, how grave and of which request', () => {
  const [line] = written({ person: '7' })
  expect(line).toMatchObject({ level: 40, event: 'sign-in', request: '01a2', person: '7', hostname: hostname() })
  // Milliseconds since 1970 have no zone.
  expect(new Date(Number(line!.time)).getFullYear()).toBe(new Date().getFullYear())
})

test('a failure has its message and where it came from', () => {
  expect(written({ error: new Error('not there') })).toMatchObject([
    { error: { message: 'not there', stack: expect.stringContaining('log.test.ts') } },
  ])
})
