import { expect, test } from 'vitest'
import { readApp } from '../../headings/index.ts'
import { siteFor, siteOf } from '../site.ts'
import { assumptionText } from './assumptions.ts'

const text = `# Cards

## 1 What the product does and for whom

- **Assume:** screens

## 3 Entities and their fields

### Card

| Field | Type | Rules |
| --- | --- | --- |
| name | text 20 | personal |
| box | Box | |

### Box

| Field | Type |
| --- | --- |
| label | text 20 |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Reader | everyone signed in |
| Keeper | appointed by Keeper |

### Card

| Role | See |
| --- | --- |
| Reader | yes |
`

test('every kind of assumption is said in the language of whoever reads', async () => {
  const { app } = readApp('cards.md', () => text, { version: () => 'one' })
  const site = siteOf({ app: app!, store: null! }, { provenance: false, document: null })
  const german = siteFor(site, 'de', null)
  const kinds = app!.assumptions.map(one => {
    const said = [assumptionText(site, one), assumptionText(german, one)]
    expect(said[0]).not.toBe(said[1])
    return one.name.replace(/-[^-]*$/, '')
  })
  expect([...new Set(kinds)].sort()).toEqual([
    'A-KEEP',
    'A-LANGUAGE',
    'A-PEOPLE',
    'A-SCREENS',
    'A-SEE',
    'A-SIGNIN',
    'A-ZONE',
  ])
})
