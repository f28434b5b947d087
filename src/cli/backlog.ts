/** `ninefold backlog`: what waits to be done without anybody asking, on the terminal; and a call that pauses is tried now. */
import { readBacklog } from '../run/later/backlog.ts'
import { mailServer, pauses, tryNow } from '../run/later/breaker.ts'
import { CannotRead, type Command, onlyFile } from './command.ts'
import { onItsTables, openDatabase } from './database.ts'
import { loadApp } from './load.ts'
import { refuse } from './output.ts'

export const backlog: Command = {
  name: 'backlog',
  options: {
    resume: {
      type: 'string',
      meaning:
        'the key of a call that pauses, C-2, or SMTP for mails: one is tried now. If it is answered, all that waits goes',
    },
  },
  async run(files, options, output) {
    const file = onlyFile(files, 'backlog')
    const { errors } = loadApp(file)
    if (errors.length > 0) return refuse(output, errors)
    const { store, close } = await openDatabase(file, output.warn, { share: true })
    try {
      return await onItsTables(file, async () => {
        const now = new Date()
        const call = options.resume
        if (typeof call === 'string' && !(await store.inTransaction(tx => tryNow(tx, call, now))))
          throw new CannotRead(`Nothing named '${call}' pauses.`)
        const { outbox, timers, jobs } = await readBacklog(store, now)
        const paused = (await pauses(store, now)).map(({ call: name, failures, open_until, waiting }) => ({
          call: name,
          failures: Number(failures),
          until: open_until,
          waiting: Number(waiting),
        }))
        output.result({ outbox, paused, timers, jobs })
        for (const { kind, name, waiting, failed, age } of outbox)
          output.say(
            `${kind} ${name}: ${waiting} waiting${waiting > 0 ? `, the oldest for ${Math.round(age)} s` : ''}; ${failed} given up`,
          )
        for (const one of paused)
          output.say(
            `${one.call === mailServer ? '' : 'call '}${one.call} pauses${one.until === null ? '' : ` until ${one.until}`}: it failed ${one.failures} times in a row, ${one.waiting} waiting`,
          )
        output.say(
          `timers: ${timers.due} due${timers.due > 0 ? `, the latest for ${Math.round(timers.late)} s` : ''}; ${timers.failed} failing`,
        )
        for (const { kind, open } of jobs) output.say(`${kind}: ${open} under way`)
        return 0
      })
    } finally {
      await close()
    }
  },
}
