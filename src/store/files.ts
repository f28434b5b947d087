/**
 * Where the contents of files lie: under the digest of what is in them, so that the same content lies there once and never changes.
 * A content is staged first (written to a temporary place, counted and digested as it comes), then put; both before the transaction that
 * names it commits.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { bucketFiles } from './bucket.ts'
import type { Scan } from './clamd.ts'
import { Unavailable } from './unavailable.ts'

/** A content that has come, in a temporary place. Whoever staged it discards it. */
export interface StagedFile {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** SHA-256, hexadecimal. */
  readonly digest: string
}

export interface FileStore {
  /** "the folder desk/files", for whoever starts Ninefold. */
  readonly described: string
  /** Folder for contents that are coming. */
  readonly staging: string
  /** Durable when it resolves. Putting what is there already changes nothing. */
  readonly put: (digest: string, staged: StagedFile) => Promise<void>
  /** Null: it is not there. */
  readonly open: (digest: string) => Promise<Readable | null>
  readonly remove: (digest: string) => Promise<void>
  /** Looks for viruses in what is to be put. Absent: nobody does. */
  readonly scan?: Scan
}

/**
 * Writes what comes to a temporary file, up to `limit` bytes. Null: it is larger; what is left of it is read and thrown away, so
 * that whoever sends it comes to an end and hears why. Where the disk takes nothing it throws `Unavailable`, and reads no further.
 */
export async function stageFile(
  folder: string,
  content: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<StagedFile | null> {
  const path = join(folder, randomUUID())
  const hash = createHash('sha256')
  let size = 0
  await keeping(folder, async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = await open(path, 'wx', 0o600)
    try {
      for await (const chunk of content) {
        size += chunk.byteLength
        if (size > limit) continue
        hash.update(chunk)
        await file.write(chunk)
      }
      if (size <= limit) await file.sync()
    } catch (error) {
      await rm(path, { force: true })
      throw error
    } finally {
      await file.close()
    }
  })
  if (size <= limit) return { path, size, digest: hash.digest('hex') }
  await rm(path, { force: true })
  return null
}

/** What the disk refuses is for whoever runs the machine: the log says why, and people are asked to try again. */
async function keeping(folder: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const why = whyNotKept(error)
    if (why === null) throw error
    throw new Unavailable(`No file can be kept in ${folder}: ${why}`, 'Files that are there can be read.', error)
  }
}

/** What the disk or the folder refuses, in words; null: something else failed. */
export const whyNotKept = (error: unknown): string | null =>
  refusals[(error as NodeJS.ErrnoException).code ?? ''] ?? null

const refusals: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'this user may not use more of the disk',
  EROFS: 'nothing can be written on that disk',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  ENOENT: 'the folder is not there',
  ENOTDIR: 'it is no folder',
  EEXIST: 'it is no folder',
  EIO: 'the disk fails',
}

export const discardFile = ({ path }: StagedFile): Promise<void> => rm(path, { force: true })

/**
 * What a process that was killed left in the staging folder: nobody sends one file for so many milliseconds. By the clock that the system
 * dates files by: where the application's is set forward, others are sending theirs into the same folder.
 */
export async function clearStaging({ staging }: FileStore, longest: number): Promise<void> {
  const before = Date.now() - longest
  for (const name of await readdir(staging).catch(() => [])) {
    const path = join(staging, name)
    const found = await stat(path).catch(() => null)
    if (found !== null && found.mtimeMs < before) await rm(path, { force: true })
  }
}

/** Files in a folder: `ab/ab12…`. */
export function folderFiles(folder: string): FileStore {
  const placeOf = (digest: string) => join(folder, digest.slice(0, 2), digest)
  return {
    described: `the folder ${folder}`,
    staging: join(folder, 'incoming'),
    async put(digest, staged) {
      const place = placeOf(digest)
      if (await isThere(place)) return
      const parent = dirname(place)
      await keeping(folder, async () => {
        await mkdir(parent, { recursive: true, mode: 0o700 })
        await rename(staged.path, place)
        // The name has to last as well as the content.
        const entry = await open(parent, 'r')
        await entry.sync().finally(() => entry.close())
      })
    },
    async open(digest) {
      const place = placeOf(digest)
      return (await isThere(place)) ? createReadStream(place) : null
    },
    remove: digest => rm(placeOf(digest), { force: true }),
  }
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/**
 * `file:///srv/files`, `s3://bucket/folder?region=…&endpoint=…`; the key for a bucket comes from `variable` (AWS_ACCESS_KEY_ID …).
 * Throws `Unavailable` for what is neither.
 */
export function filesAt(address: string, variable: (name: string) => string | undefined): FileStore {
  const url = URL.parse(address)
  if (url?.protocol === 'file:' && url.hostname === '') return folderFiles(fileURLToPath(url))
  if (url?.protocol !== 's3:' || url.hostname === '')
    throw new Unavailable(
      `FILES_URL is '${address}'`,
      'Write file:///folder or s3://bucket/folder?region=eu-central-1.',
    )
  const [id, secret] = [variable('AWS_ACCESS_KEY_ID'), variable('AWS_SECRET_ACCESS_KEY')]
  if (id === undefined || secret === undefined)
    throw new Unavailable('FILES_URL names a bucket', 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, too.')
  const endpoint = url.searchParams.get('endpoint')
  if (endpoint !== null && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    throw new Unavailable(`The endpoint in FILES_URL is '${endpoint}'`, 'Write it as https://….')
  return bucketFiles(
    {
      bucket: url.hostname,
      folder: decodeURIComponent(url.pathname).replace(/^\/|\/$/g, ''),
      region: url.searchParams.get('region') ?? variable('AWS_REGION') ?? 'us-east-1',
      endpoint,
      key: { id, secret, session: variable('AWS_SESSION_TOKEN') },
    },
    join(tmpdir(), `ninefold-files-${process.getuid?.() ?? 'incoming'}`),
  )
}
