/** The key that secrets of people are sealed with: SECRETS_KEY, or the file that SECRETS_KEY_FILE names, else one beside the embedded database. */
import { readFileSync } from 'node:fs'
import { keyIn, type Seal, sealWith } from '../web/sign-in/seal.ts'
import { CannotRead } from './command.ts'
import { dataFolder } from './database.ts'

/** With a database elsewhere and no key nothing is sealed: a key in a folder that the next start may not find would lock people out. */
export function openSeal(file: string): Seal {
  const { SECRETS_KEY: given = '', SECRETS_KEY_FILE: path = '', DATABASE_URL: elsewhere = '' } = process.env
  const named = given === '' && path !== '' ? keyOf(path) : given
  try {
    if (named !== '') return sealWith(named)
  } catch (error) {
    throw new CannotRead((error as Error).message)
  }
  return sealWith(elsewhere === '' ? keyIn(dataFolder(file)) : null)
}

function keyOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new CannotRead(`SECRETS_KEY_FILE names '${path}', and no such file is there.`)
  }
}
