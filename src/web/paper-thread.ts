/** The thread that sets one file for paper, started by `paper.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Paper } from '../ui/paper/paper.ts'
import { typeset } from '../ui/paper/typeset.ts'

parentPort!.postMessage(await typeset(workerData as Paper))
