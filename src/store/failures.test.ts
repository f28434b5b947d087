import { Client } from 'pg'
import { expect, test, vi } from 'vitest'
import { checkingCertificates, explainedConnecting, explainedFailure, isComingBack, isPassing } from './failures.ts'
import { unfit } from './pool.ts'
import type { Unavailable } from './unavailable.ts'

const failure = (message: string, more: object = {}) => Object.assign(new Error(message), more)
const told = (error: unknown) => (error instanceof Error ? [error.name, error.message] : error)

test.each([
  ['no connection left', failure('too many', { code: '53300', severity: 'FATAL' }), true],
  ['starting up', failure('starting', { code: '57P03', severity: 'FATAL' }), true],
  ['a proxy whose server is gone', failure('Connection terminated unexpectedly'), true],
  ['a proxy that hangs up', failure('read ECONNRESET', { code: 'ECONNRESET', syscall: 'read' }), true],
  ['nobody answers at all', failure('Connection terminated due to connection timeout'), false],
  ['a wrong password', failure('no', { code: '28P01', severity: 'FATAL' }), false],
])(
  'no connection, %s: told to whoever asks as something that passes, after a while where it may',
  (_, error, waits) => {
    expect(isComingBack(error)).toBe(waits)
    const all = explainedConnecting(error, 'postgres://me:secret@db:5432/desk', { patience: 5000, inUse: 0 })
    expect(isPassing(all)).toBe(true)
    expect(told(all)).toEqual(['Unavailable', expect.stringMatching(/^(?!.*secret).*db:5432/)])
  },
)

test('a file that is not there is no server that is not there', () => {
  const missing = failure("ENOENT: no such file or directory, open '/ca.pem'", { code: 'ENOENT', syscall: 'open' })
  const { message, hint } = explainedConnecting(missing, 'postgres://me@db/desk', {
    patience: 5000,
    inUse: 0,
  }) as Unavailable
  expect(message).toContain("cannot be read: ENOENT: no such file or directory, open '/ca.pem'")
  expect(hint).toContain('sslrootcert')
})

const entry = 'no pg_hba.conf entry for host "10.0.0.7", user "desk", database "desk"'

test.each([
  ['28P01', 'password authentication failed', /refuses the name or password$/, /^Check DATABASE_URL\.$/],
  ['28000', `${entry}, no encryption`, /lets nobody in like this: no pg_hba.conf entry/, /\?sslmode=verify-full/],
  ['28000', `${entry}, SSL encryption`, /lets nobody in like this: no pg_hba.conf entry/, /pg_hba\.conf of the server/],
  ['28000', 'role "desk" does not exist', /role "desk" does not exist$/, /^Check DATABASE_URL/],
  [
    '',
    'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string',
    /asks for a password/,
    /name:password@host/,
  ],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'Hostname/IP does not match', /is for another name/, /Write the host/],
  ['', 'The server does not support SSL connections', /offers no TLS/, /\?sslmode=disable/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', /certificate .* self-signed/, /sslrootcert=/],
])('refused with %s "%s": said in the words of whoever refuses, with what to do', (code, message, why, hint) => {
  const told = explainedConnecting(failure(message, { code }), 'postgres://me@db/desk', { patience: 5000, inUse: 0 })
  expect(told).toMatchObject({ message: expect.stringMatching(why), hint: expect.stringMatching(hint) })
})

test.each<readonly [url: string, given: string]>([
  ['postgres://db/desk?sslmode=require', 'postgres://db/desk?sslmode=verify-full'],
  ['postgres://db/desk?a=b&sslmode=prefer&c=d', 'postgres://db/desk?a=b&sslmode=verify-full&c=d'],
  [
    'postgres://db/desk?sslmode=verify-ca&sslrootcert=ca.pem',
    'postgres://db/desk?sslmode=verify-full&sslrootcert=ca.pem',
  ],
  ...['?sslmode=disable', '?sslmode=no-verify', '?sslmode=require&uselibpqcompat=true', ''].map(
    query => [`postgres://db/desk${query}`, `postgres://db/desk${query}`] as const,
  ),
])('%s goes to the driver as %s, without a warning', (url, given) => {
  expect(checkingCertificates(url)).toBe(given)
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  new Client({ connectionString: given.replace('sslrootcert=ca.pem', '') })
  expect(warned).not.toHaveBeenCalled()
  warned.mockRestore()
})

test('a mistake of ours stays what it is', () => {
  const ours = [
    new TypeError('x is undefined'),
    failure('no', { code: 'ENOENT', syscall: 'open' }),
    failure('no', { code: '42703', severity: 'ERROR' }),
  ]
  for (const error of ours) expect([explainedFailure(error), isPassing(error)]).toEqual([error, false])
})

test.each([
  [{ number: '90624' }, 'This PostgreSQL server is too old (9.6); Ninefold needs 15 or newer'],
  [{ number: '140023' }, 'This PostgreSQL server is too old (14); Ninefold needs 15 or newer'],
  [{ encoding: 'SQL_ASCII' }, 'The database keeps text as SQL_ASCII; Ninefold needs UTF8'],
  [{ icu: false }, 'This PostgreSQL server was built without ICU, by which Ninefold sorts texts'],
  [{ number: '150000' }, undefined],
])('a server of %o is told as such, or used', (server, message) => {
  expect(unfit({ number: '180004', encoding: 'UTF8', icu: true, ...server })?.message).toBe(message)
})
