/** Crowds (`crowd.ts`) as whoever orders them sees them, and the cores that they and the others run on. */
import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Came {
  /** 0: no answer. */
  readonly status: number
  /** Over a connection that others came over before, or will; else over one of its own. */
  readonly isKept: boolean
  readonly retryAfter: boolean
  /** Milliseconds. */
  readonly took: number
  /** Milliseconds from the beginning to the answer, where one comes after the other. */
  readonly at: number
  /** Why there is no answer: the operating system's code, or what whoever asked did. */
  readonly failure: string | null
}

/** What is asked for: heads of requests in turn, without their end. */
interface Asked {
  readonly port: number
  readonly heads: readonly string[]
}

export interface ByChance extends Asked {
  readonly rate: number
  readonly seconds: number
  readonly clients?: never
}

export interface OneAfterTheOther extends Asked {
  readonly clients: number
  readonly requests: number
}

export type Order = ByChance | OneAfterTheOther

export interface OrderEnded {
  readonly came: readonly Came[]
}

export interface Crowd {
  readonly come: (order: Order) => Promise<readonly Came[]>
  readonly end: () => void
}

export function openCrowd(cores: string | null): Crowd {
  const child: ChildProcess = fork(join(import.meta.dirname, 'crowd.ts'), {
    execArgv: process.execArgv,
    serialization: 'advanced',
  })
  if (cores !== null) keepTo(cores, child.pid!)
  return {
    async come(order) {
      child.send(order)
      const [{ came }] = (await once(child, 'message')) as [OrderEnded]
      return came
    },
    end: () => void child.disconnect(),
  }
}

/** The cores for whoever asks and for whoever answers; null: there is but one, or no `taskset` to part them. */
export function partedCores(): { readonly asking: string; readonly answering: string } | null {
  const allowed = /^Cpus_allowed_list:\s+(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? ''
  const cores = allowed.split(',').flatMap(part => {
    const [from, to = from] = part.split('-').map(Number)
    return Array.from({ length: to! - from! + 1 }, (_, nth) => from! + nth)
  })
  if (cores.length < 2 || spawnSync('taskset', ['--version']).status !== 0) return null
  return { asking: String(cores[0]), answering: cores.slice(1).join(',') }
}

/** That process and what it starts from now on. */
export function keepTo(cores: string, pid: number): void {
  const { status, stderr } = spawnSync('taskset', ['-a', '-p', '-c', cores, String(pid)], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}
