/**
 * A large file is read in a thread of its own, one after the other: what takes seconds keeps no page waiting, and what takes more memory
 * or time than any table needs ends with its thread.
 */
import { Worker } from 'node:worker_threads'
import { threadOf } from '../files.ts'
import { turns } from '../run/turns.ts'
import { tableApartBytes, tableQueue, tableThread, tableUnpackedBytes } from './bounds.ts'
import { type FileTable, type NoTable, readTable, type TableWish } from './tables.ts'
import { isWorkbook, unpackedBytes } from './workbooks.ts'

type Row = FileTable['rows'][number]

/** What the thread tells: rows, a part at a time, and at the end the rest of the table, or why it is none. */
export type TableMessage = readonly Row[] | Omit<FileTable, 'rows'> | NoTable

const inTurn = turns(tableQueue)

/** As `readTable`. Throws `Busy`. */
export async function readAnyTable(
  bytes: Buffer,
  wish: TableWish,
  within = tableThread as Within,
): Promise<FileTable | NoTable> {
  const size = isWorkbook(bytes) ? unpackedBytes(bytes) : bytes.length
  if (!(size <= tableUnpackedBytes)) return 'fileUnreadable'
  const small = size < tableApartBytes ? await readTable(bytes, wish, tableApartBytes) : null
  return small ?? inTurn(() => readApart(bytes, wish, within))
}

interface Within {
  readonly megabytes: number
  readonly seconds: number
}

function readApart(bytes: Buffer, wish: TableWish, { megabytes, seconds }: Within): Promise<FileTable | NoTable> {
  return new Promise((resolve, reject) => {
    const { url, execArgv } = threadOf('web', 'table-thread')
    const thread = new Worker(url, {
      workerData: { bytes, wish },
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
      execArgv,
    })
    const rows: Row[] = []
    const end = (table: FileTable | NoTable) => {
      clearTimeout(late)
      resolve(table)
      void thread.terminate()
    }
    const late = setTimeout(end, seconds * 1000, 'fileTooMuch')
    thread.on('message', (told: TableMessage) => {
      if (typeof told === 'string') end(told)
      else if ('columns' in told) end({ ...told, rows })
      else {
        rows.push(...told)
        thread.postMessage('more')
      }
    })
    thread.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(late)
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve('fileTooMuch')
      else reject(error)
    })
  })
}
