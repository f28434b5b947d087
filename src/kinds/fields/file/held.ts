/** A file as a value: `<digest> <bytes> <media type> <name>`. The content lies elsewhere, under its digest; the value says everything else. */

import type { Wire } from '../../../expression/type.ts'
import { composed } from '../texts.ts'

export interface HeldFile {
  /** SHA-256 of the content, hexadecimal. */
  readonly digest: string
  /** Bytes. */
  readonly size: number
  /** What the content is, found from its first bytes: `image/png`. */
  readonly type: string
  /** As it was called where it came from; a name, never a path. */
  readonly name: string
}

/** Characters of a name, at most. */
export const longestName = 200

const shape = /^([0-9a-f]{64}) ([1-9]\d{0,14}) ([a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,100}) (\S(?:.*\S)?)$/su

/** Null for what is no value of a file. */
export function heldFile(wire: Wire | undefined): HeldFile | null {
  const [, digest, size, type, name] = (typeof wire === 'string' ? shape.exec(wire) : null) ?? []
  if (digest === undefined || size === undefined || type === undefined || name === undefined) return null
  return isFileName(name) ? { digest, size: Number(size), type, name } : null
}

export const fileText = ({ digest, size, type, name }: HeldFile): string => `${digest} ${size} ${type} ${name}`

/** What a file is called, as it may be kept; control characters and everything that is part of a path are left out. */
export function fileName(given: string): string {
  const last = given.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const plain = composed(last.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/gu, ''))
    .trim()
    .replace(/^\.{1,2}$/, '')
  const letters = [...plain]
  if (letters.length <= longestName) return plain === '' ? 'file' : plain
  const end = /\.[^.]{1,12}$/.exec(plain)?.[0] ?? ''
  return `${letters
    .slice(0, longestName - end.length)
    .join('')
    .trimEnd()}${end}`
}

const isFileName = (name: string): boolean =>
  name === name.trim() &&
  name.isWellFormed() &&
  name === composed(name) &&
  [...name].length <= longestName &&
  !/[\p{Cc}/\\]/u.test(name)

/** The media type of a file that was chosen in a form and has not been sent: what is in it is not known yet. */
export const waiting = 'application/x-not-sent'

/** A file that was chosen and has not been sent, as far as it is known. */
export const waitingFile = (name: string, size: number): string =>
  fileText({ digest: '0'.repeat(64), size: Math.max(size, 1), type: waiting, name: fileName(name) })
