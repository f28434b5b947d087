/**
 * What has to be kept and must not be read from the database alone (secrets of authenticators): encrypted with AES-256-GCM, under a key
 * that lies elsewhere, and bound to whom it is about. Without a key it is kept as it is.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Seal {
  /** There is a key. */
  readonly seals: boolean
  readonly close: (text: string, about: string) => string
  /** Null: it was sealed with another key, for somebody else, or was changed. What was never sealed comes as it is. */
  readonly open: (kept: string, about: string) => string | null
  /** As it is to be kept from now on: sealed with the key of now, if it can be opened. */
  readonly renew: (kept: string, about: string) => string
}

const mark = 'sealed:1:'
const shortest = 32

/**
 * `secret`: at least 32 characters; null: nothing is sealed. `previous`: what the key was before; what it sealed still opens. Throws where
 * either is shorter.
 */
export function sealWith(secret: string | null, previous: string | null = null): Seal {
  const key = secret === null ? null : keyOf(secret, 'SECRETS_KEY')
  const before = previous === null ? null : keyOf(previous, 'SECRETS_KEY_PREVIOUS')
  const close = (text: string, about: string) => (key === null ? text : sealed(key, text, about))
  const openedBy = (one: Buffer | null, kept: string, about: string) =>
    one === null || !kept.startsWith(mark) ? null : opened(one, kept, about)
  const open = (kept: string, about: string) =>
    kept.startsWith(mark) ? (openedBy(key, kept, about) ?? openedBy(before, kept, about)) : kept
  return {
    seals: key !== null,
    close,
    open,
    renew(kept, about) {
      const text = key === null || openedBy(key, kept, about) !== null ? null : open(kept, about)
      return text === null ? kept : close(text, about)
    },
  }
}

function keyOf(secret: string, name: string): Buffer {
  if (secret.length < shortest) throw new Error(`${name} needs at least ${shortest} characters.`)
  return Buffer.from(hkdfSync('sha256', secret, '', 'ninefold secrets', 32))
}

function sealed(key: Buffer, text: string, about: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(about))
  const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return mark + Buffer.concat([iv, cipher.getAuthTag(), bytes]).toString('base64url')
}

function opened(key: Buffer, kept: string, about: string): string | null {
  const bytes = Buffer.from(kept.slice(mark.length), 'base64url')
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(about))
    decipher.setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

/** A key of its own in the data folder, made with the first start: for the database that lies beside it, and is copied with it or not. */
export function keyIn(folder: string): string {
  const path = join(folder, 'secrets-key')
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(path, randomBytes(shortest).toString('base64url'), { mode: 0o600, flag: 'wx' })
  }
  return readFileSync(path, 'utf8')
}
