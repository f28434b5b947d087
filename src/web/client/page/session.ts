/**
 * A page that its person has left open shows nothing any more once the session has ended: by signing out in another tab, by nobody's using
 * it, or with its time. Asking whether it has is no use of it. What somebody has begun to type stays: it is sent after signing in again.
 */
const alive = '/-/session'

/** Milliseconds between two times of asking. */
const between = 60_000

/** `idle`: minutes without a request after which it can have ended; null: the page is nobody's. */
export function watchSession(idle: number | null, isDirty: () => boolean): void {
  const others = new BroadcastChannel('ninefold')
  if (idle === null) {
    others.postMessage(null)
    others.close()
    return
  }
  const from = Date.now() + idle * 60_000
  const ask = async () => {
    const answer = await fetch(alive).catch(() => null)
    if (answer?.status === 401 && !isDirty()) location.reload()
  }
  const look = () => {
    if (document.visibilityState === 'visible' && Date.now() >= from) void ask()
  }
  others.onmessage = () => void ask()
  setInterval(look, between)
  addEventListener('visibilitychange', look)
  // From the memory of the browser, by the way back.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void ask()
  })
}
