import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keyIn, sealWith } from './seal.ts'

const key = 'k'.repeat(32)

test('what is sealed opens with its key, for whom it is about, unchanged, and not otherwise', () => {
  const seal = sealWith(key)
  const kept = seal.close('JBSWY3DP', 'dan')
  expect(kept).not.toContain('JBSWY3DP')
  expect(seal.close('JBSWY3DP', 'dan')).not.toBe(kept)
  expect(seal.open(kept, 'dan')).toBe('JBSWY3DP')
  expect(seal.open(kept, 'eve')).toBe(null)
  expect(sealWith(key.replace('k', 'x')).open(kept, 'dan')).toBe(null)
  expect(sealWith(null).open(kept, 'dan')).toBe(null)
  const flipped = kept.slice(0, -2) + (kept.at(-2) === 'A' ? 'B' : 'A') + kept.at(-1)
  for (const broken of [flipped, kept.slice(0, 20), 'sealed:1:']) expect(seal.open(broken, 'dan')).toBe(null)
})

test('without a key it stays as it is, and what stayed so opens later; a short key is refused', () => {
  expect(sealWith(null).close('JBSWY3DP', 'dan')).toBe('JBSWY3DP')
  expect(sealWith(key).open('JBSWY3DP', 'dan')).toBe('JBSWY3DP')
  expect(() => sealWith('short')).toThrow('SECRETS_KEY')
})

test('what the key of before sealed opens, and is sealed anew with that of now', () => {
  const [before, now] = [key.replace('k', 'x'), key]
  const kept = sealWith(before).close('JBSWY3DP', 'dan')
  const both = sealWith(now, before)
  expect(both.open(kept, 'dan')).toBe('JBSWY3DP')
  const renewed = both.renew(kept, 'dan')
  expect([sealWith(now).open(renewed, 'dan'), sealWith(before).open(renewed, 'dan')]).toEqual(['JBSWY3DP', null])
  expect(both.renew(renewed, 'dan'), 'it is sealed rightly').toBe(renewed)
  expect(sealWith(now).open(sealWith(now).renew('JBSWY3DP', 'dan'), 'dan'), 'what was never sealed is').toBe('JBSWY3DP')
  // What no key opens stays as it is, and so does what nothing seals.
  expect(sealWith(now).renew(kept, 'dan')).toBe(kept)
  expect(sealWith(null, before).renew(kept, 'dan')).toBe(kept)
  expect(() => sealWith(now, 'short')).toThrow('SECRETS_KEY_PREVIOUS')
})

test('the key of a data folder is made once, for its owner alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ninefold-key-'))
  try {
    const made = keyIn(folder)
    expect(made).toHaveLength(43)
    expect(keyIn(folder)).toBe(made)
    expect(statSync(join(folder, 'secrets-key')).mode & 0o777).toBe(0o600)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
