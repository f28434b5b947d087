/** All that is held about a person, given out into a folder or erased, for whoever runs the application. */
import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { printFrames } from '../document/print.ts'
import { sql } from '../expression/sql.ts'
import type { App } from '../headings/app.ts'
import { type Erasure, erasePerson, type Held } from '../run/people/erasure.ts'
import { giveOut } from '../run/people/give-out.ts'
import { systemRequest } from '../run/people/people.ts'
import { lineOf } from '../run/read/history.ts'
import type { Request, Runtime } from '../run/request.ts'
import type { FileStore } from '../store/files.ts'
import { newId } from '../web/random.ts'
import { onItsTables, openDatabase } from './database.ts'
import { openFiles } from './files.ts'
import { loadApp } from './load.ts'

interface Wish {
  readonly folder: string | null
  readonly erase: boolean
}

/** Given out first, where both are asked for. */
export async function handlePerson(file: string, email: string, wish: Wish): Promise<number> {
  const { app, errors } = loadApp(file)
  if (app === null || errors.length > 0) {
    process.stdout.write(printFrames(errors))
    return 1
  }
  const database = await openDatabase(file, console.log, { share: true })
  try {
    return await onItsTables(file, () => handle({ app, store: database.store }, file, email, wish))
  } finally {
    await database.close()
  }
}

async function handle(runtime: Runtime, file: string, email: string, wish: Wish): Promise<number> {
  const request = await systemRequest(runtime, 'seed', { now: new Date(), newId, id: newId(), locale: 'en' })
  const [known] = await runtime.store.query<{ id: string }>(
    sql`select id from public.person where lower(email) = lower(${email})`,
  )
  if (known === undefined) {
    console.error(`Nobody has the address ${email}.`)
    return 1
  }
  if (wish.folder !== null) await writeOut(runtime, request, known.id, openFiles(file), wish.folder)
  return wish.erase ? await erase(runtime, request, known.id) : 0
}

async function writeOut(
  runtime: Runtime,
  request: Request,
  person: string,
  store: FileStore,
  folder: string,
): Promise<void> {
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
  console.log(`Wrote what is held about ${given.name} to ${join(folder, 'data.json')}, with ${files.length} files.`)
}

async function erase(runtime: Runtime, request: Request, person: string): Promise<number> {
  const came = await erasePerson(runtime, request, person)
  if ('kind' in came) {
    const problems = came.kind === 'refused' ? came.problems : [came.problem]
    console.error(problems.map(({ message, whatToDo }) => `${message} ${whatToDo ?? ''}`).join('\n'))
    return 1
  }
  for (const line of told(runtime.app, came)) console.log(line)
  return came.failed.length > 0 ? 1 : 0
}

/** What went, what stays, and why. */
export function told(app: App, { erased, kept, failed, comments, done }: Erasure): readonly string[] {
  const called = ({ entity, id, label }: Held) => `${app.entities.get(entity)?.name ?? entity} ${label ?? id}`
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
