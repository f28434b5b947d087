/** Files in a bucket of an S3-compatible store. Three requests, signed by aws4fetch; the store checks each content against its digest. */
import { openAsBlob } from 'node:fs'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AwsClient } from 'aws4fetch'
import type { FileStore } from './files.ts'

interface Bucket {
  readonly bucket: string
  /** Before the digest in the names of objects; may be empty. */
  readonly folder: string
  readonly region: string
  /** `https://minio.example.org`; null: Amazon's of the region. */
  readonly endpoint: string | null
  readonly key: { readonly id: string; readonly secret: string; readonly session?: string | undefined }
}

/** Milliseconds until a request is answered. */
const patience = 60_000

/** A store of files in a bucket; `staging` is a local folder for what is on its way. */
export function bucketFiles({ bucket, folder, region, endpoint, key }: Bucket, staging: string): FileStore {
  const client = new AwsClient({
    accessKeyId: key.id,
    secretAccessKey: key.secret,
    ...(key.session === undefined ? {} : { sessionToken: key.session }),
    service: 's3',
    region,
  })
  const base =
    endpoint === null ? `https://${bucket}.s3.${region}.amazonaws.com` : `${endpoint.replace(/\/+$/, '')}/${bucket}`
  const prefix = folder === '' ? '' : `${folder.split('/').map(encodeURIComponent).join('/')}/`

  const send = async (method: string, digest: string, body?: Blob): Promise<Response> => {
    const url = `${base}/${prefix}${digest}`
    // Only the head is signed here: the digest of the body is known, so it can go out as it is read from the disk.
    const headers =
      body === undefined ? {} : { 'x-amz-content-sha256': digest, 'content-type': 'application/octet-stream' }
    const signed = await client.sign(url, { method, headers })
    // Until it answers: how long its content takes is for whoever reads it, perhaps over a slow line.
    const ending = new AbortController()
    const late = setTimeout(() => ending.abort(new Error(`nothing came for ${patience / 1000} seconds`)), patience)
    const response = await fetch(url, {
      method,
      headers: signed.headers,
      signal: ending.signal,
      ...(body === undefined ? {} : { body }),
    }).finally(() => clearTimeout(late))
    if (response.ok || response.status === 404) return response
    const why = (await response.text()).slice(0, 300)
    throw new Error(`The store of files answered ${response.status} to ${method} ${url}: ${why}`)
  }

  return {
    described: `the bucket ${bucket}${endpoint === null ? '' : ` at ${endpoint}`}`,
    staging,
    async put(digest, { path }) {
      const { status } = await send('PUT', digest, await openAsBlob(path))
      if (status === 404) throw new Error(`There is no bucket named '${bucket}' in the store of files.`)
    },
    async open(digest) {
      const response = await send('GET', digest)
      if (response.status !== 404 && response.body !== null) return Readable.fromWeb(response.body as ReadableStream)
      await response.body?.cancel()
      return null
    },
    async remove(digest) {
      await (await send('DELETE', digest)).body?.cancel()
    },
  }
}
