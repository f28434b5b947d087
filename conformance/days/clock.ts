/** A clock for several processes, which runs as the real one does until it is moved to another moment, for all of them. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { patience } from '../../scripts/limits.ts'

interface Line {
  readonly socket: Socket
  pid: number
  /** How far ahead the clock was when it last had looked for all that was due; null: it never has, as the process that starts the others. */
  looked: number | null
}

export interface MovedClock {
  /** For `MOVED_CLOCK`. */
  readonly port: string
  readonly now: () => Date
  /** Tells all, and waits until each has looked for what is due then. */
  readonly moveTo: (moment: Date) => Promise<void>
  /** Processes that look for what is due, as many as there must be. */
  readonly workers: (count: number) => Promise<readonly number[]>
  readonly close: () => void
}

export async function startClock(begin: Date): Promise<MovedClock> {
  const lines = new Set<Line>()
  let ahead = begin.getTime() - Date.now()
  const tell = ({ socket }: Line) => socket.write(`${ahead}\n`)
  const server = createServer(socket => {
    const line: Line = { socket, pid: 0, looked: null }
    lines.add(line)
    socket.setEncoding('utf8').on('data', (text: string) => {
      for (const said of text.trim().split('\n'))
        if (said.startsWith('pid ')) line.pid = Number(said.slice(4))
        else line.looked = Number(said)
    })
    socket.on('error', () => {}).on('close', () => lines.delete(line))
    tell(line)
  })
  const move = (moment: Date) => {
    ahead = moment.getTime() - Date.now()
    for (const line of lines) tell(line)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const looking = () => [...lines].filter(({ looked }) => looked !== null)
  const until = async (isSo: () => boolean, what: string) => {
    const end = performance.now() + patience.step
    while (!isSo()) {
      if (performance.now() > end) throw new Error(`Waited in vain: ${what}`)
      await wait(5)
    }
  }
  return {
    port: String((server.address() as AddressInfo).port),
    now: () => new Date(Date.now() + ahead),
    async moveTo(moment) {
      move(moment)
      await until(() => looking().every(({ looked }) => looked === ahead), `a look at ${moment.toISOString()}`)
    },
    async workers(count) {
      await until(() => looking().length === count, `${count} processes that look for what is due`)
      return looking().map(({ pid }) => pid)
    },
    close() {
      server.close()
      for (const { socket } of lines) socket.destroy()
    },
  }
}
