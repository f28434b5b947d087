import { expect, test } from 'vitest'
import { pluralOf } from './plural.ts'

test.each([
  ['Loan', 'Loans'],
  ['Contact person', 'Contact people'],
  ['Category', 'Categories'],
  ['Day', 'Days'],
  ['Box', 'Boxes'],
  ['Address', 'Addresses'],
  ['Bus', 'Buses'],
  ['Canvas', 'Canvases'],
  ['Diagnosis', 'Diagnoses'],
  ['Axis', 'Axes'],
  ['Chassis', 'Chassises'],
  ['Orders', 'Orders'],
  ['Order details', 'Order details'],
  ['Categories', 'Categories'],
  ['Employees', 'Employees'],
])('several of %s are %s', (one, several) => expect(pluralOf(one)).toBe(several))
