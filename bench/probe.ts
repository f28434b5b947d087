/** Asks an address ten times a second, beside whoever makes the load, until it is told to end; then it says how long each answer took. */
import { setTimeout as wait } from 'node:timers/promises'
import { come } from './load.ts'

const url = process.argv[2]!
const took: number[] = []
let silent = 0
process.on('message', () => {
  process.send!({ took, silent })
  process.disconnect()
  process.exit(0)
})
for (let n = 0; ; n++) {
  const { status, took: one } = await come({ method: 'GET', url, headers: {} }, n)
  if (status === 200) took.push(one)
  else silent++
  await wait(100)
}
