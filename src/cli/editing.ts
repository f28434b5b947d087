/** The files of a document for the editor in `dev`: read and written on disk, and never one that is not the document's. */
import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { EditedFile, Editing } from '../web/editing.ts'
import { loadApp, readTexts, textOf } from './load.ts'
import { replaceFile } from './replace.ts'

/** Reads and saves the files of the document at a path. */
export function editingOf(file: string): Editing {
  const folder = dirname(file)
  const files = () => loadApp(file).files.map(({ path }) => path)
  const now = (path: string): EditedFile | null => {
    const text = files().includes(path) ? textOf(join(folder, path)) : null
    return text === null ? null : { text, seen: markOf(text) }
  }
  return {
    files,
    read: now,
    write(path, text, seen) {
      const before = now(path)
      if (before === null || before.seen !== seen) return { written: false, now: before ?? { text: '', seen: '' } }
      const kept = before.text.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text
      replaceFile(join(folder, path), kept)
      return { written: true, now: { text: kept, seen: markOf(kept) } }
    },
    check: (path, text) => readTexts(file, part => (part === path ? text : textOf(join(folder, part)))),
  }
}

const markOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)
