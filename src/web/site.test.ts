import { expect, test } from 'vitest'
import { loanDesk, readSound } from '../run/testing.ts'
import { siteOf, stateView } from './site.ts'

test('an end is shown as the document says, not as it would be guessed', async () => {
  const app = readSound(loanDesk, text =>
    text
      .replace('| Returned | end |', '| Returned | bad end |')
      .replace('| Declined | end |', '| Declined | good end |'),
  )
  const site = await siteOf({ app, store: null! }, { provenance: false, document: null })
  const families = ['Returned', 'Declined', 'Requested'].map(state => stateView(site, 'loan', state).ring.family)
  expect(families).toEqual(['bad', 'good', 'go'])
})
