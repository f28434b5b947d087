/** A plan in words, for the terminal: each step with its statements, its lock, the records it touches and the line that asks for it. */
import type { Plan, PlannedStep } from '../migrate.ts'
import { locks, phases, placeOf, type Step } from './step.ts'

const modes: Readonly<Record<Step['mode'], string>> = {
  together: 'in one transaction',
  'one by one': 'each statement in its own transaction',
  outside: 'outside transactions, or in many short ones',
}

/** Diagnostics of the plan (`plan.found`) are printed by whoever prints diagnostics. */
export function explainPlan(plan: Plan): string {
  if (plan.steps.length === 0)
    return plan.possible
      ? 'The database matches the document. Nothing to do.\n'
      : 'Correct the errors first; until then nothing can be done.\n'
  const begin =
    plan.from === null ? 'The database holds nothing of Ninefold yet' : `The database is at version ${plan.from}`
  const own = plan.steps.filter(step => step.because === null && isOwn(step))
  const steps = plan.steps.filter(step => !own.includes(step))
  const besides =
    own.length === 0
      ? ''
      : `\nFor Ninefold itself, in the schema ninefold; nobody waits for these:\n\n${own.map(({ what }) => `   - ${what}\n`).join('')}`
  const count = `${steps.length} step${steps.length === 1 ? '' : 's'}`
  if (steps.length === 0) return `${begin}.\n${besides}`
  const told = steps.map((step, index) => explainStep(step, index + 1)).join('\n')
  return `${begin}; ${count}:\n\n${told}${besides}${plan.from === null ? '' : explainBefore(steps)}`
}

/** What becomes of the processes that serve the version before, which go on until they are ended. */
function explainBefore(steps: readonly Step[]): string {
  const ends = [...new Set(steps.flatMap(({ ends: can }) => can ?? []))]
  return ends.length === 0
    ? '\nThe version that runs goes on reading and writing until it is ended.\n'
    : `\nThe version that runs goes on until it is ended, but it\n\n${ends.map(can => `   - ${can}\n`).join('')}`
}

/** What Ninefold needs for itself is listed; its statements say nothing about the document. */
const isOwn = ({ phase }: Step): boolean => phase === phases.system || phase === phases.systemAfter

const lasting = ({ seconds, lock }: PlannedStep): string =>
  seconds === null
    ? ''
    : ` for about ${seconds <= 120 ? `${seconds} second${seconds === 1 ? '' : 's'}` : `${Math.ceil(seconds / 60)} minutes`}, by ${locks[lock].pace!.toLocaleString('en')} rows a second`

function explainStep(step: PlannedStep, number: number): string {
  const place = step.because === null ? '' : `  (${placeOf(step.because)})`
  const indented = (text: string) => text.replaceAll('\n', '\n       ')
  return [
    `${String(number).padStart(3)}. ${step.drops ? 'DATA IS LOST: ' : ''}${step.what}${place}`,
    `     ${locks[step.lock].says}${lasting(step)}; ${modes[step.mode]}`,
    ...(step.rows === null ? [] : [`     ${step.rows}`]),
    ...step.statements.map(statement => `       ${indented(statement)};`),
    '',
  ].join('\n')
}
