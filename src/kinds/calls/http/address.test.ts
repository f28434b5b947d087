import { expect, test } from 'vitest'
import { isRefusedLiteral, lookupWithin, mayReach, type Reach } from './address.ts'

const looked = (name: string, reach: Reach) =>
  new Promise<string>(resolve =>
    lookupWithin(reach)(name, { all: true }, (error, found) =>
      resolve(error === null ? JSON.stringify(found) : error.message),
    ),
  )

test.each([
  ['93.184.215.14', true, true],
  ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', true, true],
  ['127.0.0.1', false, true],
  ['127.255.255.254', false, true],
  ['10.1.2.3', false, true],
  ['172.31.255.255', false, true],
  ['192.168.0.1', false, true],
  ['100.64.0.1', false, true],
  ['::1', false, true],
  ['fd00::1', false, true],
  ['::ffff:127.0.0.1', false, true],
  ['::ffff:10.0.0.1', false, true],
  ['64:ff9b::7f00:1', false, true],
  ['::ffff:93.184.215.14', true, true],
  ['64:ff9b:1::7f00:1', false, true],
  ['fec0::1', false, true],
  ['::127.0.0.1', false, true],
  ['::ffff:0:127.0.0.1', false, true],
  ['2002:7f00:1::', false, true],
  ['2001:0:7f00:1::', false, true],
  // Where clouds keep the credentials of a machine: never.
  ['169.254.169.254', false, false],
  ['::ffff:169.254.169.254', false, false],
  ['64:ff9b::a9fe:a9fe', false, false],
  ['2002:a9fe:a9fe::1', false, false],
  ['fd00:ec2::254', false, false],
  ['100.100.100.200', false, false],
  ['168.63.129.16', false, false],
  ['fe80::1', false, false],
  ['0.0.0.0', false, false],
  ['255.255.255.255', false, false],
  ['localhost', false, false],
])('%s: the document %s, a setting %s', (address, byDocument, bySetting) => {
  expect([mayReach(address, 'public'), mayReach(address, 'anywhere')]).toEqual([byDocument, bySetting])
})

test('an address that the document names itself is looked at, too', () => {
  expect(isRefusedLiteral('127.0.0.1', 'public')).toBe(true)
  expect(isRefusedLiteral('[::1]', 'public')).toBe(true)
  expect(isRefusedLiteral('127.0.0.1', 'anywhere')).toBe(false)
  expect(isRefusedLiteral('ledger.example.com', 'public')).toBe(false)
})

test('a name that leads inside is not followed, unless a setting named it', async () => {
  expect(await looked('localhost', 'public')).toMatch(/^localhost leads to .*, where calls may not go$/)
  expect(await looked('localhost', 'anywhere')).toMatch(/127\.0\.0\.1|::1/)
})
