/** What a job is called, and what is said of it, wherever it is told of. */
import type { Job } from '../../run/many/jobs.ts'
import type { RequestContext } from '../request-context.ts'
import { thingsOf } from '../screens/things.ts'
import { say } from '../sentences.ts'
import { branchesOf, capital, type Site } from '../site.ts'

/** "Import tools", "Approve: loans". */
export function jobTitle(
  { site }: RequestContext,
  { kind, entity, what }: Pick<Job, 'kind' | 'entity' | 'what'>,
): string {
  const things = thingsOf(site, entity)
  if (kind === 'import') return say(site, 'importTitle', { things })
  const done = what.step === undefined ? say(site, 'editMany', { things }) : stepTitle(site, entity, what.step, things)
  return kind === 'undo' ? say(site, 'undoJob', { title: done }) : done
}

const stepTitle = (site: Site, entity: string, step: string, things: string): string =>
  `${capital(branchesOf(site.app, entity, step)[0]?.name ?? '')}: ${things}`

/** What is said of a job in each state. */
export const jobStates = {
  draft: 'mapTitle',
  checking: 'jobChecking',
  checked: 'jobChecked',
  applying: 'jobApplying',
  done: 'jobDone',
  stopped: 'jobStopped',
} as const satisfies Record<Job['state'], string>
