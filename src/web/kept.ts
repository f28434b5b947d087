/**
 * POSTs of people whose session had ended: kept, so that after signing in again the form returns with everything typed.
 * In memory of this process and only for some minutes: what is kept has not been accepted. Tied to the browser's visit cookie,
 * so an address with somebody else's `kept` gives nothing.
 */
import { keptBytes, keptMinutes, keptPosts } from './settings.ts'

export interface KeptPost {
  readonly path: string
  /** As posted, without tokens: they belong to the session that ended. */
  readonly form: URLSearchParams
}

export interface Kept {
  /** The id that gets it back; null where it is too large to keep. */
  readonly keep: (visit: string, post: KeptPost, now: Date) => string | null
  /** Once: taking it removes it. */
  readonly take: (visit: string, id: string, path: string, now: Date) => URLSearchParams | null
}

export function keptPostsOf(newToken: () => string): Kept {
  const posts = new Map<string, KeptPost & { readonly visit: string; readonly until: number }>()
  return {
    keep(visit, post, now) {
      const size = post.form.toString().length
      if (size > keptBytes) return null
      const form = new URLSearchParams([...post.form].filter(([name]) => name !== '_csrf' && name !== '_once'))
      const id = newToken()
      posts.set(id, { path: post.path, form, visit, until: now.getTime() + keptMinutes * 60_000 })
      if (posts.size > keptPosts) posts.delete(posts.keys().next().value as string)
      return id
    },
    take(visit, id, path, now) {
      const post = posts.get(id)
      if (post === undefined || post.visit !== visit || post.path !== path) return null
      posts.delete(id)
      return post.until > now.getTime() ? post.form : null
    },
  }
}
