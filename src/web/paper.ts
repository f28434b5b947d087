/** Paper is set in a thread of its own, one file after the other: what takes a second keeps no page waiting. */
import { Worker } from 'node:worker_threads'
import { threadOf } from '../files.ts'
import { turns } from '../run/turns.ts'
import type { Paper } from '../ui/paper/paper.ts'
import { paperQueue, paperThread } from './bounds.ts'

const inTurn = turns(paperQueue)

/** Null: it takes more than any print needs. Throws `Busy`. */
export const setApart = (paper: Paper, within: Within = paperThread): Promise<Buffer | null> =>
  inTurn(() => set(paper, within))

interface Within {
  readonly megabytes: number
  readonly seconds: number
}

function set(paper: Paper, { megabytes, seconds }: Within): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const { url, execArgv } = threadOf('web', 'paper-thread')
    const thread = new Worker(url, {
      workerData: paper,
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
      execArgv,
    })
    const end = (pdf: Buffer | null) => {
      clearTimeout(late)
      resolve(pdf)
      void thread.terminate()
    }
    const late = setTimeout(end, seconds * 1000, null)
    thread.once('message', (pdf: Uint8Array) => end(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)))
    thread.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return end(null)
      clearTimeout(late)
      reject(error)
    })
  })
}
