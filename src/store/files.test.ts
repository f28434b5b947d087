import { createHash, createHmac } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { contentType } from './file-type.ts'
import { clearStaging, discardFile, type FileStore, filesAt, folderFiles, stageFile } from './files.ts'

const folder = mkdtempSync(join(tmpdir(), 'ninefold-files-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function* chunks(...texts: readonly (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text as string)
}

const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')

/** A stand-in for a store that speaks S3: it refuses what is not signed with its key, and contents that are not what their digest says. */
const objects = new Map<string, Buffer>()
const key = { id: 'KEY', secret: 'hush' }
const server = createServer(async (request, response) => {
  const body = await buffer(request)
  const { pathname } = new URL(request.url ?? '', 'http://x')
  const refuse = (status: number, code: string) => response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`)
  if (!isSigned(request)) return refuse(403, 'SignatureDoesNotMatch')
  if (!pathname.startsWith('/desk/')) return refuse(404, 'NoSuchBucket')
  if (request.method === 'PUT') {
    if (request.headers['x-amz-content-sha256'] !== sha256(body)) return refuse(400, 'XAmzContentSHA256Mismatch')
    if (request.headers['content-length'] !== String(body.length)) return refuse(411, 'MissingContentLength')
    objects.set(pathname, body)
    return response.writeHead(200).end()
  }
  if (request.method === 'DELETE') {
    objects.delete(pathname)
    return response.writeHead(204).end()
  }
  const found = objects.get(pathname)
  return found === undefined ? refuse(404, 'NoSuchKey') : response.writeHead(200).end(found)
})

/** Signature version 4, worked out from its description. */
function isSigned({ method, url, headers }: IncomingMessage): boolean {
  const [, credential = '', names = '', signature] =
    /Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)/.exec(headers.authorization ?? '') ?? []
  const [id, ...scope] = credential.split('/')
  const [day = '', region = '', service = '', end = ''] = scope
  const canonical = [
    method,
    new URL(url ?? '', 'http://x').pathname,
    '',
    ...names.split(';').map(name => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope.join('/'), sha256(canonical)].join('\n')
  const hmac = (with_: string | Buffer, what: string) => createHmac('sha256', with_).update(what).digest()
  const signing = [day, region, service, end].reduce<string | Buffer>(hmac, `AWS4${key.secret}`)
  return (
    id === key.id && region === 'eu-central-1' && service === 's3' && hmac(signing, text).toString('hex') === signature
  )
}

let endpoint = ''
beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise(resolve => server.close(resolve)))
afterEach(() => objects.clear())

const bucketAt = (address: string, secret = key.secret) =>
  filesAt(address, name => ({ AWS_ACCESS_KEY_ID: key.id, AWS_SECRET_ACCESS_KEY: secret })[name])

const bucket = () => bucketAt(`s3://desk/our%20files?region=eu-central-1&endpoint=${encodeURIComponent(endpoint)}`)

describe.each<[string, () => FileStore]>([
  ['a folder', () => folderFiles(join(folder, 'store'))],
  ['a bucket', bucket],
])('%s', (_, open) => {
  test('gives back what was put, knows what it has not, and forgets what is removed', async () => {
    const files = open()
    const content = Buffer.from('some content, ä and \0')
    const staged = (await stageFile(files.staging, chunks(content.subarray(0, 5), content.subarray(5)), 100))!
    expect(staged).toMatchObject({ size: content.length, digest: sha256(content) })
    await files.put(staged.digest, staged)
    await discardFile(staged)
    expect(await buffer((await files.open(staged.digest))!)).toEqual(content)

    const again = (await stageFile(files.staging, chunks(content), 100))!
    await files.put(again.digest, again)
    await discardFile(again)
    expect(await buffer((await files.open(staged.digest))!)).toEqual(content)
    expect(readdirSync(files.staging)).toEqual([])

    expect(await files.open(sha256('other'))).toBeNull()
    await files.remove(staged.digest)
    await files.remove(staged.digest)
    expect(await files.open(staged.digest)).toBeNull()
  })
})

test('what is larger than its limit is read to its end and leaves nothing behind', async () => {
  let given = 0
  async function* endless() {
    for (; given < 10; given++) yield Buffer.alloc(30)
  }
  expect(await stageFile(join(folder, 'a'), endless(), 100)).toBeNull()
  expect(given).toBe(10)
  async function* broken() {
    yield Buffer.alloc(30)
    throw new Error('gone')
  }
  await expect(stageFile(join(folder, 'a'), broken(), 100)).rejects.toThrow('gone')
  expect(readdirSync(join(folder, 'a'))).toEqual([])
})

test('what a killed process left is cleared, what comes just now is not', async () => {
  const files = folderFiles(join(folder, 'b'))
  const old = (await stageFile(files.staging, chunks('old'), 100))!
  const fresh = (await stageFile(files.staging, chunks('fresh'), 100))!
  utimesSync(old.path, 1, 1)
  await clearStaging(files, 3_600_000)
  expect(readdirSync(files.staging)).toEqual([fresh.path.split('/').at(-1)])
})

test('a bucket has to answer in time; how long its content takes is for whoever reads it', async () => {
  const asked: AbortSignal[] = []
  let answers = true
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.stubGlobal('fetch', (_: string, { signal }: { signal: AbortSignal }) => {
    asked.push(signal)
    if (answers) return Promise.resolve(new Response('content'))
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  try {
    const content = await bucket().open('a')
    vi.advanceTimersByTime(600_000)
    expect([asked[0]!.aborted, (await buffer(content!)).toString()]).toEqual([false, 'content'])
    answers = false
    const told = expect(bucket().open('a')).rejects.toThrow('nothing came for 60 seconds')
    while (asked.length < 2) await new Promise(setImmediate)
    vi.advanceTimersByTime(60_000)
    await told
  } finally {
    vi.unstubAllGlobals()
    vi.useRealTimers()
  }
})

test('a wrong key and a bucket that is not there are told, not taken for an empty store', async () => {
  const at = `region=eu-central-1&endpoint=${encodeURIComponent(endpoint)}`
  await expect(bucketAt(`s3://desk?${at}`, 'wrong').open('a'.repeat(64))).rejects.toThrow(/403.*SignatureDoesNotMatch/)
  const files = bucketAt(`s3://nope?${at}`)
  const staged = (await stageFile(files.staging, chunks('x'), 10))!
  await expect(files.put(staged.digest, staged)).rejects.toThrow("There is no bucket named 'nope'")
  await discardFile(staged)
})

test('FILES_URL is understood or refused in words', () => {
  expect(filesAt('file:///srv/desk%20files', () => undefined).described).toBe('the folder /srv/desk files')
  expect(bucketAt('s3://desk?region=eu-west-1').described).toBe('the bucket desk')
  for (const address of ['/srv/files', 'http://x/', 's3:', 's3://desk?endpoint=minio'])
    expect(() => bucketAt(address)).toThrow()
  expect(() => filesAt('s3://desk', () => undefined)).toThrow('FILES_URL names a bucket')
})

test.each<[string, string | Buffer, string]>([
  ['a PNG', Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'), 'image/png'],
  ['a JPEG', Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'), 'image/jpeg'],
  ['a PDF', '%PDF-1.7\n', 'application/pdf'],
  ['text', 'a;b\n"ä";😀\n', 'text/plain'],
  ['HTML, which is text', '<!doctype html><script>alert(1)</script>', 'text/plain'],
  ['an SVG, which is never shown in place', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'text/plain'],
  ['noise', Buffer.from([1, 2, 3, 4, 5, 200, 201]), 'application/octet-stream'],
])('%s is found from its content', async (_, content, type) => {
  const staged = (await stageFile(join(folder, 'c'), chunks(content), 1000))!
  expect(await contentType(staged.path)).toBe(type)
  await discardFile(staged)
})
