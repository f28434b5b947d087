/** Where `dev` serves a document: noted beside its data, so that a second one can say so. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dataFolder } from './database.ts'

interface Running {
  readonly pid: number
  readonly url: string
}

const noteOf = (file: string): string => `${dataFolder(file)}.dev.json`

/** Until the function that it gives is called. Where nothing can be written, nobody is told. */
export function noteRunning(file: string, url: string): () => void {
  const note = noteOf(file)
  try {
    writeFileSync(note, JSON.stringify({ pid: process.pid, url } satisfies Running))
  } catch {
    return () => {}
  }
  return () => rmSync(note, { force: true })
}

/** Another process that serves the document; null where none does, or the one that did was killed. */
export function runningElsewhere(file: string): Running | null {
  try {
    const running = JSON.parse(readFileSync(noteOf(file), 'utf8')) as Running
    process.kill(running.pid, 0)
    return running.pid === process.pid ? null : running
  } catch {
    return null
  }
}
