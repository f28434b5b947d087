import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readApp } from '../headings/index.ts'
import { readingFrom } from './environment.ts'
import {
  failureOf,
  fileRefused,
  mailFromOf,
  publicUrlOf,
  shutdownDelayOf,
  smtpUrlOf,
  trustedProxiesOf,
} from './process.ts'
import { checkSettings } from './settings.ts'

const told = (detail: object) => failureOf(Object.assign(new Error('listen'), { syscall: 'listen', ...detail }))

test.each([
  ['EADDRINUSE', { port: 3000 }, 'Port 3000 is taken'],
  ['EACCES', { port: 80 }, 'Port 80 may not be used by this user. Choose one above 1023'],
  ['EADDRNOTAVAIL', { address: '192.0.2.1', port: 3000 }, 'no address 192.0.2.1'],
  ['ENOTFOUND', { syscall: 'getaddrinfo' }, 'HOST names no machine'],
])('%s is told in words', (code, detail, words) => {
  expect(told({ code, ...detail })).toEqual({ why: expect.stringContaining(words), exit: 1 })
})

test.each([
  ['ENOSPC', { path: 'b/c' }, "'b/c' cannot be kept: the disk is full. Make room"],
  ['ENOSPC', {}, 'What is to be written cannot be kept: the disk is full. Make room'],
  ['EDQUOT', {}, 'this user has no room left'],
  ['EIO', {}, 'the disk fails'],
])('a write that ends with %s is told in words', (code, detail, words) => {
  expect(told({ code, syscall: 'write', ...detail })).toEqual({ why: expect.stringContaining(words), exit: 1 })
})

test('what nobody outside can help keeps its stack', () => {
  expect(told({ code: 'EACCES', syscall: 'open' })).toBe(null)
  expect(told({ code: 'EMFILE' })).toBe(null)
})

test('what the document wants of the environment can be used as it stands, or is told with the line, and never with its value', () => {
  const { app } = readApp(
    'desk.md',
    () => `# Desk

## 3 Entities and their fields

### Item

- **Tenant:** none

| Field | Type | Rules |
| --- | --- | --- |
| tag | text 12 | required; unique |

## 7 The calls it makes

### C-1 Tell

- **Request:** POST {settings.assets_url}/items

### Receives stock

- **About:** Item
- **Found by:** tag
- **Then:** create
- **Sign with:** secret STOCK_KEY

| Receive | Into |
| --- | --- |
| tag | tag |
`,
  )
  const check = (environment: Record<string, string>) => checkSettings(app!, readingFrom(environment))
  check({})
  check({ ASSETS_URL: 'http://10.0.0.5:81/api/', STOCK_KEY_OLD: 'x', STOCK_KEY_OLD_UNTIL: '2027-03-30T12:00Z' })
  for (const wrong of ['assets.example.org', 'ftp://assets.example.org', 'https://ada:swordfish@assets.example.org'])
    expect(() => check({ ASSETS_URL: wrong })).toThrow(
      /^ASSETS_URL, which the document names at desk\.md:17(?!.*swordfish)/,
    )
  expect(() => check({ STOCK_KEY_OLD_UNTIL: 'soon' })).toThrow(
    'STOCK_KEY_OLD_UNTIL, which the document names at desk.md:24',
  )
})

test('PUBLIC_URL is an address of the web, or not set', () => {
  expect([undefined, '', 'https://desk.example.org/'].map(publicUrlOf)).toEqual([
    null,
    null,
    'https://desk.example.org/',
  ])
  for (const wrong of ['desk.example.org', 'desk.example.org:443', 'https://', 'ftp://desk.example.org'])
    expect(() => publicUrlOf(wrong)).toThrow('it is written like https://desk.example.org')
  for (const wrong of ['https://example.org/desk', 'https://example.org/?a', 'https://ada@example.org'])
    expect(() => publicUrlOf(wrong)).toThrow('with nothing behind it: https://example.org')
})

test('the mail server, who writes, how long it leaves, and proxies: right, not set, or told how it is written', () => {
  const server = 'smtp://desk:a%40b@mail.example.org:587?requireTLS=true'
  expect([undefined, '', server, 'smtps://[::1]'].map(smtpUrlOf)).toEqual([null, null, server, 'smtps://[::1]'])
  for (const wrong of ['mail.example.org', 'smtp:geheim', 'smtp://', 'https://mail.example.org', 'smtp://a:ge#heim@b'])
    expect(() => smtpUrlOf(wrong)).toThrow(/^SMTP_URL is not the address (?!.*geheim)/)
  const named = 'Loan desk <desk@example.org>'
  expect([undefined, '', 'desk@localhost', named].map(mailFromOf)).toEqual([null, null, 'desk@localhost', named])
  for (const wrong of ['desk', 'Loan desk desk@example.org', '<desk>', 'a@b, c@d'])
    expect(() => mailFromOf(wrong)).toThrow('it is written like desk@example.org')
  expect([undefined, '', '0', '2'].map(trustedProxiesOf)).toEqual([0, 0, 0, 2])
  expect([undefined, '0', '30'].map(shutdownDelayOf)).toEqual([5000, 0, 30_000])
  for (const wrong of ['5s', '-1', '1.5', '301'])
    expect(() => shutdownDelayOf(wrong)).toThrow(`SHUTDOWN_DELAY is '${wrong}'`)
  for (const wrong of ['true', '-1', '1.5', '10', '10.0.0.1'])
    expect(() => trustedProxiesOf(wrong)).toThrow(`TRUSTED_PROXIES is '${wrong}'`)
})

test('a setting may stand in a file that another one names; both at once is told, and never with the value', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'environment-')), 'secret')
  writeFileSync(path, 'pass word\n\r\n')
  const variable = readingFrom({
    A: '1',
    EMPTY: '',
    B: '',
    B_FILE: path,
    C: 'geheim',
    C_FILE: path,
    D_FILE: `${path}-2`,
  })
  expect(['A', 'EMPTY', 'NONE', 'B'].map(variable)).toEqual(['1', undefined, undefined, 'pass word\n'])
  expect(() => variable('C')).toThrow(/^C and C_FILE are both set(?!.*geheim)/)
  expect(() => variable('D')).toThrow(`D_FILE names '${path}-2', and no such file is there.`)
})

test('what the machine refuses about a file is told with its path; what names no file is not', () => {
  const refused = (code: string, path?: string) => fileRefused(Object.assign(new Error(code), { code, path }))
  expect(refused('EACCES', 'app.md')).toContain("'app.md' may not be opened by this user.")
  expect(refused('EACCES')).toBe(null)
  expect(refused('EMFILE', 'app.md')).toBe(null)
})
