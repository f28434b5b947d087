/**
 * A database and its files as they are at one moment, in a folder: `backup.json` says what is there and comes last, `tables/` holds the rows,
 * a line each, `files/` the contents. It needs no program of PostgreSQL's, and PostgreSQL of any version takes it back.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import { createGunzip, createGzip } from 'node:zlib'
import { raw, sql } from '../../expression/sql.ts'
import { type FileStore, stageFile } from '../files.ts'
import { keepContents, oneAtATime } from '../locks.ts'
import { literal } from '../names.ts'
import type { Reader, Session, Store } from '../pool.ts'
import { systemSteps } from '../system/steps.ts'
import { Unavailable } from '../unavailable.ts'
import { type Objects, objectsOf, type Rows, rowsOf, strangers } from './objects.ts'

interface Manifest extends Objects {
  readonly format: 1
  /** When it was begun: what was committed before is in it, and nothing else. */
  readonly at: string
  /** Of the document that was applied. */
  readonly document: string
  readonly systemStep: number
  /** `digest`: SHA-256 of its file. */
  readonly tables: readonly (Rows & { readonly file: string; readonly rows: number; readonly digest: string })[]
  /** SHA-256 of their contents, which are their names. */
  readonly files: readonly string[]
}

interface Output {
  readonly say: (line: string) => void
}

/** Values as text are the same wherever they are read again. */
const plainly = `set datestyle to 'ISO, YMD'; set intervalstyle to 'postgres'; set timezone to 'UTC'; set bytea_output to 'hex';
  set extra_float_digits to 3; set statement_timeout to 0; set idle_in_transaction_session_timeout to 0; set search_path to pg_catalog`

/** So many rows come and go at once. */
const portion = 2000

/** Writes a backup into a folder that is not there yet, or empty; where it fails, nothing of it stays there. */
export async function backUp(store: Store, files: FileStore, folder: string, output: Output): Promise<Manifest> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0)
    throw new Unavailable(`The folder ${folder} is not empty`, 'Name one that is not there yet.')
  try {
    return await writeBackup(store, files, folder, output)
  } catch (error) {
    for (const part of await readdir(folder)) await rm(join(folder, part), { recursive: true, force: true })
    throw error
  }
}

function writeBackup(store: Store, files: FileStore, folder: string, { say }: Output): Promise<Manifest> {
  return store.inSession(async session => {
    // Tables stay as they are meanwhile, and no content goes that the rows name.
    await oneAtATime(session)
    await keepContents(session)
    await session.execute(plainly)
    await session.execute('begin transaction isolation level repeatable read read only')
    const unknown = await strangers(session)
    if (unknown.length > 0)
      throw new Unavailable(
        `The database holds what Ninefold did not make: ${unknown.join(', ')}`,
        'Back it up with pg_dump, and the files beside it (docs/serving.md).',
      )
    const now = await applied(session)
    if (now === null) throw new Unavailable('No document was applied here', 'There is nothing to back up.')
    const objects = await objectsOf(session)
    await mkdir(join(folder, 'tables'))
    const tables: Manifest['tables'][number][] = []
    for (const table of await rowsOf(session)) {
      const written = await writeRows(session, table, join(folder, 'tables'))
      say(`${table.table}: ${written.rows} row${written.rows === 1 ? '' : 's'}`)
      tables.push(written)
    }
    const named = await session.query<{ digest: string }>(sql`select distinct digest from ninefold.file order by 1`)
    await mkdir(join(folder, 'files'))
    for (const { digest } of named) await copyOut(files, digest, folder)
    await session.execute('commit')
    say(`${named.length} file${named.length === 1 ? '' : 's'}`)
    const manifest: Manifest = {
      format: 1,
      at: now.at,
      document: now.document,
      systemStep: Number(now.step),
      ...objects,
      tables,
      files: named.map(({ digest }) => digest),
    }
    await writeFile(join(folder, 'backup.json'), `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600 })
    return manifest
  })
}

/** Null: none was. A new database has no table that could say so. */
async function applied(session: Session): Promise<{ at: string; document: string; step: string } | null> {
  const [table] = await session.query<{ name: string | null }>(
    sql`select to_regclass('ninefold.document')::text as name`,
  )
  if (table?.name == null) return null
  const [now] = await session.query<{ at: string; document: string | null; step: string }>(sql`
    select now() as at, (select version from ninefold.document order by number desc limit 1) as document,
      (select max(number) from ninefold.system) as step`)
  return now?.document == null ? null : { ...now, document: now.document }
}

async function writeRows(session: Session, table: Rows, folder: string): Promise<Manifest['tables'][number]> {
  const file = `${table.table.replaceAll(/[^\w.]/g, '')}-${createHash('sha256').update(table.table).digest('hex').slice(0, 8)}.jsonl.gz`
  const values = table.columns.map(({ name }) => `${name}::text`).join(', ')
  await session.execute(
    `declare rows no scroll cursor for select json_build_array(${values})::text as line from ${table.table}`,
  )
  let rows = 0
  const lines = async function* () {
    for (;;) {
      const some = await session.query<{ line: string }>(raw(`fetch ${portion} from rows`))
      if (some.length === 0) return
      rows += some.length
      yield some.map(({ line }) => `${line}\n`).join('')
    }
  }
  await pipeline(lines, createGzip(), createWriteStream(join(folder, file), { mode: 0o600 }))
  await session.execute('close rows')
  return { ...table, file, rows, digest: await digestOf(join(folder, file)) }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

async function copyOut(files: FileStore, digest: string, folder: string): Promise<void> {
  const content = await files.open(digest)
  if (content === null)
    throw new Unavailable(`A file is missing in ${files.described}: ${digest}`, 'FILES_URL has to name where they lie.')
  await pipeline(content, createWriteStream(join(folder, 'files', digest), { mode: 0o600 }))
}

/** Puts a backup into an empty database and its files into the store: all of it, or nothing of the database. */
export async function restore(
  store: Store,
  files: () => FileStore,
  folder: string,
  { say }: Output,
): Promise<Manifest> {
  const manifest = await manifestIn(folder)
  await store.inSession(async session => {
    await oneAtATime(session)
    await refuseFilled(session)
    if (manifest.files.length > 0) await putFiles(files(), manifest, folder)
    await session.execute(`${plainly}; set check_function_bodies to off`)
    await session.execute('begin')
    try {
      for (const statement of manifest.first) await session.execute(statement)
      for (const table of manifest.tables) {
        await readRows(session, table, folder)
        say(`${table.table}: ${table.rows} row${table.rows === 1 ? '' : 's'}`)
      }
      for (const statement of manifest.last) await session.execute(statement)
      await session.execute('commit')
    } catch (error) {
      await session.execute('rollback')
      throw error
    }
    await session.execute('analyze')
  })
  store.tablesChanged()
  return manifest
}

/** What the folder holds, once each of its files was found to be what it was. */
async function manifestIn(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, 'backup.json'), 'utf8').catch(() => null)
  if (text === null)
    throw new Unavailable(
      `There is no whole backup in ${folder}`,
      'It has a file backup.json, which is written when everything else is there.',
    )
  const manifest = JSON.parse(text) as Manifest
  if (manifest.format !== 1 || manifest.systemStep > systemSteps.at(-1)!.number)
    throw new Unavailable('A newer Ninefold made this backup', 'Restore it with that one, or a newer one.')
  for (const { file, digest } of manifest.tables) await mustBe(join(folder, 'tables', file), digest)
  for (const digest of manifest.files) await mustBe(join(folder, 'files', digest), digest)
  return manifest
}

async function mustBe(path: string, digest: string): Promise<void> {
  const found = await digestOf(path).catch(() => null)
  if (found !== digest)
    throw new Unavailable(
      `${path} is ${found === null ? 'missing' : 'not as it was written'}`,
      'Nothing was restored. Use another copy.',
    )
}

async function refuseFilled(reader: Reader): Promise<void> {
  const [found] = await reader.query<{ name: string }>(sql`
    select format('%I.%I', nspname, relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
    where nspname in ('public', 'ninefold') and relkind in ('r', 'v', 'p', 'm')
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e') limit 1`)
  if (found !== undefined)
    throw new Unavailable(
      `The database is not empty: it has ${found.name}`,
      'Create an empty one, and name it in DATABASE_URL. Nothing was changed.',
    )
}

async function putFiles(files: FileStore, { files: digests }: Manifest, folder: string): Promise<void> {
  for (const digest of digests) {
    const staged = await stageFile(
      files.staging,
      createReadStream(join(folder, 'files', digest)),
      Number.MAX_SAFE_INTEGER,
    )
    await files.put(digest, staged!)
  }
}

async function readRows(session: Session, table: Manifest['tables'][number], folder: string): Promise<void> {
  const { columns, numbered } = table
  const values = columns.map(({ type }, index) => `(it.row ->> ${index})::${type}`).join(', ')
  const insert = `insert into ${table.table} (${columns.map(({ name }) => name).join(', ')}) overriding system value
    select ${values} from (select line::jsonb as row from unnest(`
  const put = (lines: readonly string[]) =>
    session.query({ texts: [insert, '::text[]) as line) as it'], values: [lines] })
  let lines: string[] = []
  const path = join(folder, 'tables', table.file)
  for await (const line of linesOf(path)) {
    lines.push(line)
    if (lines.length < portion) continue
    await put(lines)
    lines = []
  }
  if (lines.length > 0) await put(lines)
  if (numbered !== null)
    await session.execute(
      `select setval(pg_get_serial_sequence(${literal(table.table)}, ${literal(numbered)}), coalesce(max(${numbered}), 1), max(${numbered}) is not null) from ${table.table}`,
    )
}

/** Cut at line feeds alone: within a line JSON has none, but whatever else ends one elsewhere. */
async function* linesOf(path: string): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const chunk of createReadStream(path).pipe(createGunzip())) {
    const lines = (rest + decoder.write(chunk as Buffer)).split('\n')
    rest = lines.pop()!
    yield* lines
  }
}
