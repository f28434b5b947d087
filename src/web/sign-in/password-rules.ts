/**
 * Which passwords are taken: long enough, not one of those that everybody tries first, and not what anybody knows of the person
 * (NIST SP 800-63B, OWASP ASVS 6.2). Nothing is demanded of their composition.
 */
import { passwordLength } from '../../run/people/password.ts'

type PasswordFault = 'length' | 'common' | 'known'

let listed: Promise<ReadonlySet<string>> | undefined

/** The common ones, in small letters; read with the first password that is set. */
const commonOnes = (): Promise<ReadonlySet<string>> => {
  listed ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].filter(({ length }) => length >= passwordLength.min)),
  )
  return listed
}

/** Null: it may be used. `known`: what others know of the person and the application, each as a whole. */
export async function passwordFault(password: string, known: readonly string[]): Promise<PasswordFault | null> {
  const { length } = [...password]
  if (length < passwordLength.min || length > passwordLength.max || !password.isWellFormed()) return 'length'
  const plain = folded(password)
  if ((await commonOnes()).has(plain)) return 'common'
  return known.some(text => folded(text) === plain) ? 'known' : null
}

const folded = (text: string): string => text.normalize('NFKC').trim().toLowerCase()
