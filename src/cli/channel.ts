/** What the process that has the front and those that serve tell each other, over the channel that Node gives them. */
import type { Socket } from 'node:net'

/** To one that serves. */
export type ToServing =
  /** A connection comes with it: `head` is what has been read of it, a letter for each byte. `crowded`: many wait at the front. */
  | { readonly ninefold: 'take'; readonly head: string; readonly crowded: boolean }
  | { readonly ninefold: 'say whether ready' }
  /** Others take what comes from now on: connections are closed with the answer that is given over them. */
  | { readonly ninefold: 'leave' }
  /** Answers what it has, and ends. */
  | { readonly ninefold: 'stop' }

/** From one that serves. */
type FromServing =
  | { readonly ninefold: 'serving' }
  /** The connection that was handed over last, and nobody waits there: another may follow, which nothing stands before in the channel. */
  | { readonly ninefold: 'taken' }
  | { readonly ninefold: 'readiness'; readonly ready: boolean }

/** Others use the channel, too. */
const isOurs = (message: unknown): boolean => typeof message === 'object' && message !== null && 'ninefold' in message

export const heardFrom =
  (hear: (message: FromServing) => void) =>
  (message: unknown): void => {
    if (isOurs(message)) hear(message as FromServing)
  }

export interface Orders {
  readonly take: (socket: Socket, head: Buffer, crowded: boolean) => void
  readonly room: () => Promise<void>
  readonly ready: () => Promise<boolean>
  readonly leave: () => void
}

/** In a process that the front hands connections to: serves them as told. Resolves when it is to stop. */
export function obey({ take, room, ready, leave }: Orders): Promise<void> {
  const tell = (message: FromServing) => void process.send?.(message)
  return new Promise(stop => {
    process.on('message', (message: ToServing, socket?: Socket) => {
      if (!isOurs(message)) return
      switch (message.ninefold) {
        case 'take':
          void room().then(() => tell({ ninefold: 'taken' }))
          // Whoever it came from went away while it was on its way.
          if (socket !== undefined) take(socket, Buffer.from(message.head, 'latin1'), message.crowded)
          return
        case 'say whether ready':
          void ready().then(is => tell({ ninefold: 'readiness', ready: is }))
          return
        case 'leave':
          return leave()
        case 'stop':
          return stop()
      }
    })
    tell({ ninefold: 'serving' })
  })
}
