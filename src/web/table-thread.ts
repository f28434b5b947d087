/** The thread that reads one large file, started by `large-tables.ts`. It tells a part when it is asked for: others have their turn in between. */
import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import type { TableMessage } from './large-tables.ts'
import { readTable, type TableWish } from './tables.ts'

/** Rows of one message. */
const part = 1000

const port = parentPort!
const tell = (told: TableMessage) => port.postMessage(told)

const { bytes, wish } = workerData as { readonly bytes: Uint8Array; readonly wish: TableWish }
const table = await readTable(Buffer.from(bytes), wish)
if (typeof table === 'string') tell(table)
else {
  const { rows, ...rest } = table
  for (let at = 0; at < rows.length; at += part) {
    tell(rows.slice(at, at + part))
    await once(port, 'message')
  }
  tell(rest)
}
