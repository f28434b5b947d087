/** The key that secrets of people are sealed with: SECRETS_KEY, else one beside the embedded database; and SECRETS_KEY_PREVIOUS, the one before. */
import { keyIn, type Seal, sealWith } from '../web/sign-in/seal.ts'
import { CannotRead } from './command.ts'
import { dataFolder } from './database.ts'
import { variable as ofProcess } from './environment.ts'

/** With a database elsewhere and no key nothing is sealed: a key in a folder that the next start may not find would lock people out. */
export function openSeal(file: string, variable = ofProcess): Seal {
  const beside = () => (variable('DATABASE_URL') === undefined ? keyIn(dataFolder(file)) : null)
  try {
    return sealWith(variable('SECRETS_KEY')?.trim() ?? beside(), variable('SECRETS_KEY_PREVIOUS')?.trim() ?? null)
  } catch (error) {
    throw new CannotRead((error as Error).message)
  }
}
