/** The key that secrets of people are sealed with: SECRETS_KEY, else one beside the embedded database. */
import { keyIn, type Seal, sealWith } from '../web/sign-in/seal.ts'
import { CannotRead } from './command.ts'
import { dataFolder } from './database.ts'
import { variable } from './environment.ts'

/** With a database elsewhere and no key nothing is sealed: a key in a folder that the next start may not find would lock people out. */
export function openSeal(file: string): Seal {
  const named = variable('SECRETS_KEY')?.trim()
  try {
    if (named !== undefined) return sealWith(named)
  } catch (error) {
    throw new CannotRead((error as Error).message)
  }
  return sealWith(variable('DATABASE_URL') === undefined ? keyIn(dataFolder(file)) : null)
}
