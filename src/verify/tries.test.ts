/** What is tried of each record: a step that is named like a verb is a try of its own. */
import { expect, test } from 'vitest'
import { readSound } from '../run/testing.ts'
import { toldOf } from './judge.ts'
import type { Case, Trial } from './trial.ts'
import { triesOf } from './tries.ts'

test('a step named delete is not taken for deleting', () => {
  const path = new URL('../run/fixtures/requests.md', import.meta.url).pathname
  const app = readSound(path, text => text.replaceAll(/\bapprove\b/g, 'delete'))
  const entity = [...app.entities.values()].find(({ key }) =>
    app.workflows.get(key)?.transitions.some(({ name }) => name === 'delete'),
  )!
  const actor = { id: 'me', roles: [...app.roles.keys()], tenant: null }
  const world = {
    told: toldOf(app),
    actor,
    represented: [],
    decisions: () => [],
    worth: () => true,
    seed: 0,
    today: '2026-03-02',
    record: () => undefined,
    records: () => [],
  }
  const known = { app, world, entity: entity.key, record: { id: 'it', state: 'Open' } } as unknown as Case
  const trial = { site: { app, players: [] }, entity, tallies: new Map(), done: () => {} } as unknown as Trial
  const player = { id: 'me', name: 'Me', roles: actor.roles }
  const subject = { id: 'it', by: 'of Me', again: async () => 'it' }
  const named = triesOf(trial, known, subject, 'Open', player).map(({ what }) => what)
  expect(named.filter(what => /delete/.test(what))).toHaveLength(2)
  expect(new Set(named).size).toBe(named.length)
})
