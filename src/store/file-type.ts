/** What a file is, found from its content; its name and what the sender says of it are not asked. */
import { openAsBlob } from 'node:fs'
import { open } from 'node:fs/promises'
import { fileTypeFromBlob } from 'file-type'
import { unknownType } from '../kinds/fields/file/types.ts'

/** Bytes that are looked at to tell text from everything else. */
const looked = 65_536
/** Milliseconds. */
const patience = 5_000

/** A media type: of what has a mark of its own, else `text/plain` for text in UTF-8, else that of unknown content. */
export async function contentType(path: string): Promise<string> {
  // Not from its path: for that it imports a package by a name that no bundler sees.
  const content = await openAsBlob(path)
  const found = await fileTypeFromBlob(content, { signal: AbortSignal.timeout(patience) }).catch(() => undefined)
  if (found !== undefined) return found.mime.split(';')[0]!.trim().toLowerCase()
  return (await isText(path)) ? 'text/plain' : unknownType
}

async function isText(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(looked), 0, looked, 0)
    // What is cut off in the middle of a character is still text.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, bytesRead), { stream: true })
    return !/[^\P{Cc}\t\n\f\r]/u.test(text)
  } catch {
    return false
  } finally {
    await file.close()
  }
}
