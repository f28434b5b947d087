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
}

const mark = 'sealed:1:'
const shortest = 32

/** `secret`: at least 32 characters; null: nothing is sealed. Throws where it is shorter. */
export function sealWith(secret: string | null): Seal {
  if (secret === null) return { seals: false, close: text => text, open: kept => (kept.startsWith(mark) ? null : kept) }
  if (secret.length < shortest) throw new Error(`SECRETS_KEY needs at least ${shortest} characters.`)
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'ninefold secrets', 32))
  return {
    seals: true,
    close(text, about) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(about))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return mark + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    open(kept, about) {
      if (!kept.startsWith(mark)) return kept
      const bytes = Buffer.from(kept.slice(mark.length), 'base64url')
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(about))
        decipher.setAuthTag(bytes.subarray(12, 28))
        return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
      } catch {
        return null
      }
    },
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
