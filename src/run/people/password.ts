/**
 * Passwords: argon2id of `node:crypto` with the parameters that OWASP recommends (19 MiB, 2 passes, 1 lane).
 * A hash costs some 25 ms of one core and 19 MiB: a bounded queue keeps a flood of sign-ins from taking the machine.
 */

import { argon2, timingSafeEqual } from 'node:crypto'
import { composed } from '../../kinds/fields/texts.ts'
import { turns } from '../turns.ts'

const memory = 19_456
const passes = 2
const parallelism = 1
const tagLength = 32
const saltLength = 16

/** Hashes at a time, and waiting ones, before sign-ins are answered with "try again shortly". */
const usualQueue = { atATime: 2, waiting: 64 }

/** NIST SP 800-63B: at least 8, no rules of composition; at most what one hash may cost. In code points. */
export const passwordLength = { min: 8, max: 256 } as const

type Random = (bytes: number) => Buffer

export interface Passwords {
  /** PHC string: `$argon2id$v=19$m=19456,t=2,p=1$…$…`. Throws `Busy`. */
  readonly hash: (password: string) => Promise<string>
  /** `stored` null (no such person, or none with a password): hashes all the same and says no. Throws `Busy`. */
  readonly verify: (password: string, stored: string | null) => Promise<boolean>
}

/** Hashing and checking, as many at a time as `queue` allows, since each takes 19 MiB; the others wait, and where too many do it throws `Busy`. */
export function passwords(random: Random, queue = usualQueue): Passwords {
  const inTurn = turns(queue)
  return {
    hash: password => inTurn(async () => encode(random(saltLength), password)),
    verify: (password, stored) =>
      inTurn(async () => {
        const known = stored === null ? null : decode(stored)
        const salt = known?.salt ?? Buffer.alloc(saltLength, 1)
        const tag = await derive(
          password,
          salt,
          known?.memory ?? memory,
          known?.passes ?? passes,
          known?.lanes ?? parallelism,
        )
        return known !== null && tag.length === known.tag.length && timingSafeEqual(tag, known.tag)
      }),
  }
}

async function encode(salt: Buffer, password: string): Promise<string> {
  const tag = await derive(password, salt, memory, passes, parallelism)
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}

function decode(stored: string) {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored)
  if (match === null) return null
  const [, memoryText, passesText, lanesText, salt, tag] = match
  return {
    memory: Number(memoryText),
    passes: Number(passesText),
    lanes: Number(lanesText),
    salt: Buffer.from(salt!, 'base64'),
    tag: Buffer.from(tag!, 'base64'),
  }
}

function derive(password: string, salt: Buffer, size: number, times: number, lanes: number): Promise<Buffer> {
  // The same characters, typed on another keyboard, are the same password.
  const message = Buffer.from(composed(password), 'utf8')
  return new Promise((resolve, reject) => {
    argon2(
      'argon2id',
      { message, nonce: salt, parallelism: lanes, tagLength, memory: size, passes: times },
      (error, key) => (error === null || error === undefined ? resolve(key) : reject(error)),
    )
  })
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
