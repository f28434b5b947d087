/**
 * Tells open pages by server-sent events that something they show was written: addresses only, which they then ask for anew, like
 * anybody; and the figures of their navigation when these change. In `dev` also that the document changed, and that a mail came.
 */
import type { ServerResponse } from 'node:http'
import type { InboxNeed } from '../kinds/screens/screen-kind.ts'
import { type Followed, type Follower, toldPages } from '../run/read/following.ts'
import type { Runtime } from '../run/request.ts'
import { addWritten, type ChangedFields } from '../store/news.ts'
import type { CountTexts } from '../ui/shell.tsx'
import { liveSeconds, openConnections } from './bounds.ts'
import { recounting } from './recount.ts'

/** A page as its browser named it. */
export interface FollowedPage extends Followed {
  readonly address: string
}

export interface PageFollower extends Follower<FollowedPage> {
  /** What their inbox waits for. Null: they have none. */
  readonly awaited: InboxNeed['steps'] | null
  /** As they were told last. */
  counts: CountTexts
}

export interface Live {
  /** Why no more connections of somebody are kept open: they, or all together, have as many as they may. Null: there is room. */
  readonly full: (follower: PageFollower | null) => 'ofPerson' | 'ofProcess' | null
  /** Keeps the response open for a while; `follower` null: it hears of the document alone. */
  readonly listen: (response: ServerResponse, follower: PageFollower | null) => void
  readonly tell: (event: 'reload' | 'mail') => void
  readonly close: () => void
}

const beat = 20_000
/** Milliseconds in which what was written is told together. */
const gathered = 250

interface LiveOptions {
  readonly runtime: () => Runtime
  /** Documents change while they are served, as in `dev`. */
  readonly isEdited: boolean
  /** Of this process. */
  readonly id: string
}

export function liveEvents({ runtime, isEdited, id }: LiveOptions): Live {
  const open = new Map<ServerResponse, PageFollower | null>()
  let version = 0
  let written = new Map<string, Map<string, ChangedFields>>()
  let isMissed = false
  let timer: ReturnType<typeof setTimeout> | null = null
  let unlisten: (() => void) | null = null

  const timers = setInterval(() => {
    for (const response of open.keys()) response.write(': still here\n\n')
  }, beat)
  timers.unref()

  const followers = () => [...open.values()].filter(one => one !== null)
  const told = async (): Promise<ReadonlySet<FollowedPage>> => {
    const all = followers()
    if (isMissed) return new Set(all.flatMap(({ pages }) => pages))
    const pages = await Promise.all([...written].map(([entity, records]) => toldPages(runtime(), all, entity, records)))
    return new Set(pages.flatMap(found => [...found]))
  }
  const tellCounts = (response: ServerResponse, { counts }: PageFollower) =>
    response.write(`event: counts\ndata: ${JSON.stringify(counts)}\n\n`)
  const recount = recounting(runtime, changed => {
    for (const [response, follower] of open) if (changed.some(one => one === follower)) tellCounts(response, follower!)
  })
  const send = async () => {
    // Pages that hear of nothing look again when their connection ends.
    const found = await Promise.resolve(told()).catch(() => new Set<FollowedPage>())
    for (const [response, follower] of open) {
      const addresses = (follower?.pages ?? []).filter(page => found.has(page)).map(({ address }) => address)
      if (addresses.length > 0) response.write(`event: written\ndata: ${JSON.stringify(addresses)}\n\n`)
    }
  }
  const begin = () => {
    unlisten ??= runtime().store.listen(more => {
      isMissed ||= more === null
      for (const [entity, records] of more ?? [])
        for (const [id, fields] of records) addWritten(written, entity, id, fields)
      timer ??= setTimeout(() => {
        timer = null
        recount(followers(), isMissed ? null : written)
        const sent = send()
        written = new Map()
        isMissed = false
        void sent
      }, gathered).unref()
    })
  }

  return {
    full(follower) {
      if (open.size >= openConnections.ofProcess) return 'ofProcess'
      const own = followers().filter(({ request }) => request.actor.id === follower?.request.actor.id)
      return follower !== null && own.length >= openConnections.ofPerson ? 'ofPerson' : null
    },
    listen(response, follower) {
      open.set(response, follower)
      // Whoever reads may have lost a role meanwhile: then it asks anew, as whoever they are by then.
      const end = setTimeout(() => response.end(), liveSeconds * 1000).unref()
      response.on('close', () => {
        clearTimeout(end)
        open.delete(response)
        if (followers().length > 0) return
        unlisten?.()
        unlisten = null
      })
      if (follower !== null) begin()
      response.write(`retry: 1000\nevent: hello\ndata: ${id}.${version}\n\n`)
      if (follower !== null) tellCounts(response, follower)
    },
    tell(event) {
      if (event === 'reload') version++
      if (isEdited) for (const response of open.keys()) response.write(`event: ${event}\ndata: {}\n\n`)
    },
    close() {
      clearInterval(timers)
      if (timer !== null) clearTimeout(timer)
      unlisten?.()
      for (const response of open.keys()) response.end()
    },
  }
}
