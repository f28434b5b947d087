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
