import { type AddressInfo, createServer } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { CallEnvironment } from '../call-kind.ts'
import { type MailPayload, mail } from './call.ts'

let received: { readonly to: readonly string[]; readonly mail: ParsedMail }[] = []
let refuse: number | null = null
const sink = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  onRcptTo(_address, _session, done) {
    done(refuse === null ? null : Object.assign(new Error('not here'), { responseCode: refuse }))
  },
  onData(stream, session, done) {
    simpleParser(stream).then(mail => {
      received.push({ to: session.envelope.rcptTo.map(({ address }) => address), mail })
      done()
    }, done)
  },
})
let smtp = ''

beforeAll(async () => {
  await new Promise<void>(resolve => sink.listen(0, '127.0.0.1', resolve))
  smtp = `smtp://127.0.0.1:${(sink.server.address() as AddressInfo).port}`
})
afterAll(() => new Promise<void>(resolve => sink.close(resolve)))
beforeEach(() => {
  received = []
  refuse = null
})

function send(change: Partial<MailPayload> = {}, around: Partial<CallEnvironment> = {}) {
  const payload: MailPayload = {
    to: { name: 'Ada Lovelace', address: 'ada@example.org' },
    subject: 'Please bring LN-2026-00001 back by 28 März',
    text: 'It is due.\n.\nThank you.',
    idempotencyKey: '018f2b6e-7c1a-7000-8000-000000000001',
    ...change,
  }
  const environment: CallEnvironment = {
    variable: () => undefined,
    smtp,
    from: 'Loan desk <desk@example.org>',
    now: new Date('2026-03-28T09:00:00Z'),
    signal: new AbortController().signal,
    ...around,
  }
  return mail.attempt(payload, environment)
}

test('a mail arrives as it was written', async () => {
  expect(await send()).toMatchObject({ kind: 'answered', status: 250 })
  expect(received).toHaveLength(1)
  const [{ to, mail }] = received as [(typeof received)[number]]
  expect(to).toEqual(['ada@example.org'])
  expect(mail).toMatchObject({
    subject: 'Please bring LN-2026-00001 back by 28 März',
    text: 'It is due.\n.\nThank you.',
    messageId: '<018f2b6e-7c1a-7000-8000-000000000001@ninefold>',
    date: new Date('2026-03-28T09:00:00Z'),
    from: { value: [{ name: 'Loan desk', address: 'desk@example.org' }] },
  })
  expect(mail.headers.get('auto-submitted')).toBe('auto-generated')
})

test('a mail has its text twice, plainly and as HTML; one without a text has neither', async () => {
  await send({ text: 'Dear <Ada>,\n\nlook: https://desk.example/loans/1.' })
  const [{ mail }] = received as [(typeof received)[number]]
  expect(mail.text).toBe('Dear <Ada>,\n\nlook: https://desk.example/loans/1.')
  expect(mail.html).toContain('<p>Dear &lt;Ada&gt;,</p>')
  expect(mail.html).toContain('<a href="https://desk.example/loans/1">')
  await send({ text: '' })
  expect(received[1]!.mail.html).toBe(false)
})

test('a mail is headed by whose it is, and the logo goes with it', async () => {
  const logo = { type: 'image/png', content: Buffer.from('89504e470d0a1a0a', 'hex') }
  await send({ brand: { name: 'Desk & Co', colour: '#0b6e4f', logo } })
  const [{ mail }] = received as [(typeof received)[number]]
  expect(mail.html).toContain('Desk &amp; Co</p>')
  expect(mail.html).toContain('border-bottom: 3px solid #0b6e4f')
  expect(mail.attachments).toMatchObject([{ contentType: 'image/png', contentDisposition: 'inline' }])
  await send({ brand: { name: 'Desk', colour: null, logo: null } })
  expect(received[1]!.mail.html).not.toContain('<img')
  expect(received[1]!.mail.attachments).toEqual([])
})

test('no text of a record becomes a header or a recipient', async () => {
  await send({
    to: { name: 'Ada\r\nBcc: eve@example.org', address: 'ada@example.org' },
    subject: 'Hello\r\nBcc: eve@example.org\r\n\r\nbody',
  })
  const [{ to, mail }] = received as [(typeof received)[number]]
  expect(to).toEqual(['ada@example.org'])
  expect(mail.headers.has('bcc')).toBe(false)
  expect(mail.text).toContain('It is due.')
})

test('a text that names a file does not send the file', async () => {
  await send({ text: '{"path":"/etc/passwd"}' })
  expect(received[0]!.mail.text).toContain('/etc/passwd')
  expect(received[0]!.mail.attachments).toEqual([])
})

test('without a mail server it is kept', async () => {
  expect(await send({}, { smtp: null })).toEqual({ kind: 'kept' })
})

test.each([
  [450, false],
  [550, true],
])('a recipient refused with %i', async (status, permanent) => {
  refuse = status
  expect(await send()).toMatchObject({ kind: 'failed', permanent, error: expect.stringContaining('not here') })
  expect(received).toEqual([])
})

test('nobody listens', async () => {
  const closed = createServer()
  await new Promise<void>(resolve => closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise(resolve => closed.close(resolve))
  expect(await send({}, { smtp: `smtp://127.0.0.1:${port}` })).toMatchObject({ kind: 'failed', permanent: false })
})

test('the process stops while the server keeps silent', async () => {
  const silent = createServer(() => {})
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  const stop = new AbortController()
  silent.on('connection', socket => {
    socket.on('error', () => {})
    stop.abort()
  })
  const attempt = await send(
    {},
    { smtp: `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`, signal: stop.signal },
  )
  expect(attempt).toMatchObject({ kind: 'failed', permanent: false })
  silent.close()
})
