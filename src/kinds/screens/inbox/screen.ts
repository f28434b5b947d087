import type { AwaitedStep, Screen } from '../../../headings/2-screens/model.ts'
import type { App } from '../../../headings/app.ts'
import { emptyText } from '../member-types.ts'
import { type Member, type Members, partOf } from '../members.ts'
import type { ScreenKind } from '../screen-kind.ts'

const members = {
  emptyText,
  steps: { read: reader => reader.steps('Steps') } satisfies Member<readonly AwaitedStep[] | null>,
} satisfies Members

/** In its address: which of them stands beside the others. */
export const openName = 'open'

/** In its address: `done` shows what the person has done of it. */
export const showName = 'show'
export const doneName = 'done'

export const inboxPart = (screen: Screen) => partOf(members, screen)

/** What waits for the person who is signed in. */
export const inbox = {
  name: 'inbox',
  written: 'inbox',
  opening: 'inbox',
  meaning:
    'What waits for the person who is signed in: records of which they may take a step now, each with its steps, what is late first, then what is due by the next working day.',
  entity: 'none',
  by: 'none',
  properties: [
    {
      name: 'Steps',
      meaning:
        'Steps that it waits for: `approve, hand out`; `check of Order`: those of this entity alone. Absent: all.',
    },
    { name: 'Empty text', meaning: 'What stands there when nothing waits.' },
  ],
  members,
  shows: 'records',
  awaits: (screen: Screen, app: App) => {
    const { steps } = inboxPart(screen)
    const isWanted = (entity: string, step: string) =>
      steps?.some(one => one.step === step && (one.entity ?? entity) === entity) ?? true
    return [...app.workflows.values()].flatMap(({ entity, transitions }) =>
      [...new Set(transitions.map(({ key }) => key))].flatMap(step =>
        isWanted(entity, step) ? [{ entity, step }] : [],
      ),
    )
  },
} satisfies ScreenKind
