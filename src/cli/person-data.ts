/** All that is held about a person, given out into a folder or erased, for whoever runs the application. */
import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { App } from '../headings/app.ts'
import { type Erasure, erasePerson, type RecordAboutPerson } from '../run/people/erasure.ts'
import { giveOut } from '../run/people/give-out.ts'
import { systemRequest } from '../run/people/people.ts'
import { lineOf } from '../run/read/history.ts'
import type { Request, Runtime } from '../run/request.ts'
import type { FileStore } from '../store/files.ts'
import { newId } from '../web/random.ts'
import { accountOf } from '../web/sign-in/accounts.ts'
import { onItsTables, openDatabase } from './database.ts'
import { openFiles } from './files.ts'
import { loadApp } from './load.ts'
import { type Output, refuse } from './output.ts'

interface Wish {
  readonly folder: string | null
  readonly erase: boolean
}

/** Given out first, where both are asked for. */
export async function handlePerson(file: string, email: string, wish: Wish, output: Output): Promise<number> {
  const { app, errors } = loadApp(file)
  if (app === null || errors.length > 0) return refuse(output, errors)
  const database = await openDatabase(file, output.say, { share: true, version: app.version })
  try {
    return await onItsTables(file, () => handle({ app, store: database.store }, file, email, wish, output))
  } finally {
    await database.close()
  }
}

async function handle(runtime: Runtime, file: string, email: string, wish: Wish, output: Output): Promise<number> {
  const request = await systemRequest(runtime, 'seed', { now: new Date(), newId, id: newId(), locale: 'en' })
  const known = await accountOf(runtime.store, email)
  if (known === null) {
    output.fail(`Nobody has the address ${email}.`)
    return 1
  }
  const written =
    wish.folder === null ? null : await writeOut(runtime, request, known.person, openFiles(file), wish.folder, output)
  if (wish.erase) return await erase(runtime, request, known.person, written, output)
  output.result({ written, erased: false, lines: [] })
  return 0
}

async function writeOut(
  runtime: Runtime,
  request: Request,
  person: string,
  store: FileStore,
  folder: string,
  output: Output,
): Promise<string> {
  const given = (await giveOut(runtime, request, person))!
  await mkdir(join(folder, 'files'), { recursive: true, mode: 0o700 })
  const files = []
  for (const [number, { digest, ...file }] of given.files.entries()) {
    const path = join('files', `${number}-${file.name.replaceAll(/[^\w.-]/g, '_').slice(-80)}`)
    const content = await store.open(digest)
    if (content !== null) await pipeline(content, createWriteStream(join(folder, path), { mode: 0o600 }))
    files.push({ ...file, path: content === null ? null : path })
  }
  await writeFile(join(folder, 'data.json'), `${JSON.stringify({ ...given.json, files }, null, 2)}\n`, { mode: 0o600 })
  const data = join(folder, 'data.json')
  output.say(`Wrote what is held about ${given.name} to ${data}, with ${files.length} files.`)
  return data
}

async function erase(
  runtime: Runtime,
  request: Request,
  person: string,
  written: string | null,
  output: Output,
): Promise<number> {
  const came = await erasePerson(runtime, request, person)
  if ('kind' in came) {
    const problems = came.kind === 'refused' ? came.problems : [came.problem]
    output.fail(problems.map(({ message, whatToDo }) => `${message} ${whatToDo ?? ''}`).join('\n'))
    return 1
  }
  const lines = told(runtime.app, came)
  output.result({ written, erased: came.failed.length === 0, lines })
  for (const line of lines) output.say(line)
  return came.failed.length > 0 ? 1 : 0
}

/** What went, what stays, and why. */
export function told(app: App, { erased, kept, failed, comments, done }: Erasure): readonly string[] {
  const called = ({ entity, id, label }: RecordAboutPerson) =>
    `${app.entities.get(entity)?.name ?? entity} ${label ?? id}`
  return [
    `Erased what is personal in ${erased.length} records.`,
    ...kept.map(held => {
      const time = held.until === null ? 'its time has not begun, or never ends' : `until ${held.until}`
      return `Kept: ${called(held)}, ${held.because?.text} (${held.because === null ? '' : lineOf(held.because)}), ${time}.`
    }),
    ...failed.map(({ held, problem }) => `Could not be erased: ${called(held)}: ${problem.message}`),
    ...(comments === 0 ? [] : [`${comments} comments that they wrote on something else stay, without their name.`]),
    done
      ? 'Their name is gone too.'
      : 'Their name and address stay until the last of it goes; nobody signs in as them any more.',
  ]
}
