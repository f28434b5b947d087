/**
 * Loaded with `--import` into a process whose standard input is a pipe from its parent: it ends when the parent does, whichever way that
 * ends. A parent that is killed sends no signal; its pipes are closed by the system.
 */
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  process.stdin.resume()
  process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM'))
  // It keeps nothing alive that has come to its end.
  process.stdin.unref()
}
