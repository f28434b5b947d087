/** Mutants of what `messages.md` says: messages of others, and calls of several kinds that keep one order. */
import { edit } from '../faults.ts'
import type { Mutant } from './mutant.ts'

const one = (file: string, from: string, to: string): Mutant => ({
  kind: 'messages',
  edits: [edit(file, from, to)],
  on: 'messages',
})

export const messagesMutants: Readonly<Record<string, Mutant>> = {
  'messages find another record': one(
    'run/later/receive.ts',
    "where ${compared(columnSql('t', foundBy!))} = ${compared(",
    "where ${compared(columnSql('t', foundBy!))} <> ${compared(",
  ),
  'messages make what is not there': one(
    'run/later/receive.ts',
    "if (does === 'create' || does === 'create or change')",
    "if (typeof does === 'string')",
  ),
  'messages make nothing': one(
    'run/later/receive.ts',
    "if (does === 'create' || does === 'create or change')",
    "if (does === 'create')",
  ),
  'messages take no step': one(
    'run/later/receive.ts',
    "return typeof does === 'object'",
    "return typeof does === 'number'",
  ),
  'what a message says is lost with its step': one(
    'run/later/receive.ts',
    'step: does.step, version: null, input: rest',
    'step: does.step, version: null, input: { ...rest, values: {} }',
  ),
  'messages lose their last value': one(
    'run/later/receive.ts',
    'message.takes.flatMap(({ name, field })',
    'message.takes.slice(0, -1).flatMap(({ name, field })',
  ),
  'older messages count': one('run/later/receive.ts', 'if (found.isOld || ', 'if ('),
  'messages are taken twice': one(
    'web/api/receive.ts',
    'key === null ? null : { scope',
    'key !== null ? null : { scope',
  ),
  'what tells repetitions is not read': one(
    'headings/7-calls/receives.ts',
    'once: once === null ? null : codeless(once).text',
    'once: once === null ? null : null',
  ),
  'messages of strangers are let in': one(
    'web/api/receive.ts',
    '.find(key => isProven(context, message, key))',
    '.find(() => isProven !== null)',
  ),
  'messages behind one that is refused are lost': one(
    'web/api/receive.ts',
    'answers.push({ status, ...JSON.parse(String(said)) })',
    'answers.push({ status, ...JSON.parse(String(said)) })\n    if (status >= 400) break',
  ),
  'as many messages are taken as come': one('web/api/receive.ts', 'most: mostOf(context, message)', 'most: 100_000'),
  'calls of several kinds keep no order': one(
    'run/later/breaker.ts',
    '[...orderedTogether(calls)].flatMap(',
    '[...orderedTogether(new Map())].flatMap(',
  ),
  'calls wait for those about other records': one(
    'run/later/breaker.ts',
    'and f.queue = ${raw(row)}.queue and',
    'and f.queue is not null and',
  ),
}
