/** Addresses for answers, and what of an answer is somebody's own. */
import { expect, test } from 'vitest'
import { answerIn, isProvenTo, repliedTo, repliesOf, replyAddress } from './reply-address.ts'

const replies = repliesOf(name => ({ REPLY_TO: 'reply@in.example.org', REPLY_KEY: 'k'.repeat(32) })[name])!
const source = '01940000-0000-7000-8000-0000000002ff'
const ada = '01940000-0000-7000-8000-000000000001'

test('an address names what was told, for one person, and survives being made lower or upper case', () => {
  const address = replyAddress(replies, source, ada)
  expect(address.split('@')[0]!.length).toBeLessThanOrEqual(64)
  for (const written of [address, address.toUpperCase(), `"Desk" <${address}>, other@example.org`]) {
    const to = repliedTo(written)!
    expect(to.source).toBe(source)
    expect(isProvenTo(replies, to, ada)).toBe(true)
    expect(isProvenTo(replies, to, source)).toBe(false)
    expect(isProvenTo({ ...replies, key: 'x'.repeat(32) }, to, ada)).toBe(false)
  }
  const [local, host] = address.split('@')
  const other = `${local!.slice(0, -1)}${local!.endsWith('a') ? 'b' : 'a'}@${host}`
  expect(isProvenTo(replies, repliedTo(other)!, ada)).toBe(false)
  for (const none of ['reply@in.example.org', `reply+${'a'.repeat(41)}@in.example.org`, ''])
    expect(repliedTo(none)).toBeNull()
})

test('without an address, or with a key that is too short, nobody takes answers', () => {
  for (const [address, key] of [
    ['', 'k'.repeat(32)],
    ['reply@in.example.org', 'k'.repeat(31)],
    ['re+ply@in.example.org', 'k'.repeat(32)],
    ['reply', 'k'.repeat(32)],
    ['answers-here@in.example.org', 'k'.repeat(32)],
  ])
    expect(repliesOf(name => ({ REPLY_TO: address, REPLY_KEY: key })[name])).toBeNull()
})

test.each([
  ['Yes, please.\n\nTwo of them.', 'Yes, please.\n\nTwo of them.'],
  [
    'Yes.\r\n\r\nOn Mon, 2 Mar 2026 at 10:00, Desk <desk@example.org>\r\nwrote:\r\n\r\n> ##- Write above -##\r\n> Cleo',
    'Yes.',
  ],
  ['Ja.\n\nAm 02.03.2026 um 10:00 schrieb Desk <desk@example.org>:\n> ##- Schreiben -##', 'Ja.'],
  [
    'Yes.\n\n________________________________\nFrom: Desk <desk@example.org>\nSent: Monday\nTo: Ben\nSubject: Loan desk\n\n##- Write above -##\nCleo',
    'Yes.',
  ],
  ['Yes.\n-- \nBen Borrower\nDesk 4', 'Yes.'],
  ['I need:\n\n- a tripod\n- a lamp\n\nOn 2 March, Desk wrote:\n> ##- x -##', 'I need:\n\n- a tripod\n- a lamp'],
  ['> ##- Write above -##\n> Cleo', ''],
])('of %j stays %j', (text, own) => {
  expect(answerIn(text)).toBe(own)
})
