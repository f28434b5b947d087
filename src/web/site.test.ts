import { expect, test } from 'vitest'
import { loanDesk, readSound } from '../run/testing.ts'
import { thingOf } from './screens/common.ts'
import { siteFor, siteOf, stateView } from './site.ts'

test('an end is shown as the document says, not as it would be guessed', async () => {
  const app = readSound(loanDesk, text =>
    text
      .replace('| Returned | end |', '| Returned | bad end |')
      .replace('| Declined | end |', '| Declined | good end |'),
  )
  const site = siteOf({ app, store: null! }, { provenance: false, document: null })
  const families = ['Returned', 'Declined', 'Requested'].map(state => stateView(site, 'loan', state).ring.family)
  expect(families).toEqual(['bad', 'good', 'go'])
})

test('a sentence names a record by its title where a reference follows, else with what it is before it', async () => {
  const site = siteOf({ app: readSound(loanDesk), store: null! }, { provenance: false, document: null })
  const named = (values: object) => thingOf(site, 'item', { id: '0', values: { ...values }, labels: {} })
  expect(named({ name: 'Sony A7', tag: 'CA-0001' })).toBe('Sony A7 · CA-0001')
  expect(named({ tag: 'CA-0001' })).toBe('Item CA-0001')
  // A name may have the sign in it.
  expect(named({ name: 'Ladder · long', tag: null })).toBe('Item Ladder · long')
})

test('states are laid out when a drawing is first asked for, once in each language', async () => {
  const site = siteOf({ app: readSound(loanDesk), store: null! }, { provenance: false, document: null })
  const { layout } = site.graphs.get('loan')!
  expect(layout()).toBe(layout())
  expect((await layout()).right.nodes.map(({ state }) => state)).toContain('Requested')
  expect(siteFor(site, 'en', 'Europe/Berlin').graphs).toBe(site.graphs)
})
