/**
 * Loaded with `--import` into `serve` and each of its processes, on `MOVED_CLOCK=<port>`: the clock of all is that of `clock.ts`, which
 * says on that port how far ahead it is, and hears when all that was due then has been looked for.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { isMainThread } from 'node:worker_threads'

/** Milliseconds between two looks of `keepWorking`, which alone waits so long there. */
const everyLook = 1000
const itsFile = '/later/work.ts'

if (isMainThread) {
  const RealDate = Date
  let ahead = 0
  const now = () => RealDate.now() + ahead
  globalThis.Date = new Proxy(RealDate, {
    construct: (date, given, made) =>
      Reflect.construct(date, given.length === 0 ? [now()] : given, made === globalThis.Date ? date : made),
    get: (date, key) => (key === 'now' ? now : Reflect.get(date, key)),
  })

  const line = connect(Number(process.env.MOVED_CLOCK), '127.0.0.1')
  line.on('error', () => {}).on('close', () => process.kill(process.pid, 'SIGKILL'))
  let endPause = () => {}
  /** Moved since the last round began: it may have looked before that. */
  let isMoved = false
  line.setEncoding('utf8').on('data', text => {
    ahead = Number(text.trim().split('\n').at(-1))
    isMoved = true
    endPause()
  })
  const pause = globalThis.setTimeout
  globalThis.setTimeout = Object.assign((done, delay, ...given) => {
    if (delay !== everyLook || !new Error().stack.includes(itsFile)) return pause(done, delay, ...given)
    endPause = done
    if (isMoved) queueMicrotask(done)
    else line.write(`${ahead}\n`)
    isMoved = false
    return pause(done, delay)
  }, pause)
  line.write(`pid ${process.pid}\n`)
  // Nothing of Ninefold begins before it knows how late it is.
  await once(line, 'data')
  line.unref()
}
