/**
 * What takes two records, two moments or all values to see: what is given and nobody can do, fields that become required later, further
 * keys of an order, whether a figure went the right way, and the language of a page.
 */
import { expect, inject, test } from 'vitest'
import { readApp } from '../headings/index.ts'
import { createTestDatabase } from '../store/testing.ts'
import { verifyOn } from './verify.ts'

const desk = `# Bikes

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /bikes | Bikes | Keeper | list of Bike |
| /rides | Rides | Keeper | dashboard |

### Bikes

- **Columns:** name, stand
- **Sort:** stand, name

### Rides

#### Ridden

- **Measure:** count of Ride
- **Date:** on
- **Better:** higher

## 3 Entities and their fields

### Bike

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required |
| stand | choice: North, South | required |
| broken | yes/no | |
| note | text 40 | required when broken |

#### Sample data

| name | stand |
| --- | --- |
| Zephyr | North |
| Comet | South |

### Ride

| Field | Type | Rules |
| --- | --- | --- |
| on | date | required |

#### Sample data

| on |
| --- |
| today - 1 |
| today + 1 |
| today + 2 |
| today + 3 |
| today + 4 |

### Lock

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required |
| size | choice: Small, Large | required |

#### Sample data

| name | size | state |
| --- | --- | --- |
| Spare | Small | Shut |

## 4 States and transitions

### Lock

| State | Kind |
| --- | --- |
| Shut | start |
| Open | end |

| Transition | From | To | Who | When |
| --- | --- | --- | --- | --- |
| open | Shut | Open | Keeper | \`size = Large\` |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Keeper | appointed by Keeper |

### Bike

| Role | See | Create | Change | Delete |
| --- | --- | --- | --- | --- |
| Keeper | yes | yes | yes | no |

### Ride

| Role | See | Create | Change | Delete |
| --- | --- | --- | --- | --- |
| Keeper | yes | no | no | no |

### Lock

| Role | See | Create | Change | Delete | Do |
| --- | --- | --- | --- | --- | --- |
| Keeper | yes | \`size = Large\` | \`size = Large\` | \`size = Large\` | all |
`

const read = (text: string) => {
  const { app, found } = readApp('bikes.md', path => (path === 'bikes.md' ? text : null))
  expect(found.flatMap(({ severity, code, message }) => (severity === 'error' ? [`${code} ${message}`] : []))).toEqual(
    [],
  )
  return app!
}

const replaced = (changes: readonly (readonly [string, string])[]): string =>
  changes.reduce((text, [before, after]) => {
    expect(text).toContain(before)
    return text.replaceAll(before, after)
  }, desk)

/** What failed, of an application that does what the one text says, by the other. */
async function failedOn(does: string, told: string): Promise<readonly string[]> {
  const { store, drop } = await createTestDatabase(inject('databaseUrl'))
  try {
    const lines = await verifyOn(read(does), store, () => undefined, read(told))
    return lines.flatMap(({ passed, title, detail }) => (passed ? [] : [`${title}: ${detail}`]))
  } finally {
    await drop()
  }
}

test('an application that does what it says has nothing against it', async () => {
  expect(await failedOn(desk, desk)).toEqual([])
})

test('each screen is in the language of the document, and is not opened once more for that', async () => {
  const french = replaced([
    ['# Bikes\n\n## 2', '# Bikes\n\n## 1 What the product does and for whom\n\n- **Languages:** French\n\n## 2'],
  ])
  const failed = await failedOn(desk, french)
  expect(failed.filter(line => line.endsWith(' is not in fr'))).toEqual([
    'Bikes as Keeper: shown: /bikes is not in fr',
    'Rides as Keeper: shown: /rides is not in fr',
    // Pages of the application's own.
    'in fr: 3 pages: a page is not in fr',
  ])
})

test('what is given, and what no value of a record lets anybody do, is told; where the values are too many, nothing is', async () => {
  const never = replaced([
    [
      '| `size = Large` | `size = Large` | `size = Large` |',
      '| `size = Large and size = Small` | `name = "A" and name = "B"` | no |',
    ],
    ['`size = Large`', '`size = Large and size = Small`'],
  ])
  expect(await failedOn(never, never)).toEqual([
    expect.stringMatching(/^Lock: who may create it: .*: heading 6 lets Keeper create it, and no record lets anybody$/),
    expect.stringMatching(/^Lock, open: .*: it is given to people, and no record lets anybody take it$/),
  ])
})

test('what becomes required, stands behind in an order, or goes the wrong way is told', async () => {
  const other = replaced([
    ['required when broken', ''],
    ['- **Sort:** stand, name', '- **Sort:** stand, name down'],
    ['- **Better:** higher', '- **Better:** lower'],
  ])
  const failed = await failedOn(other, desk)
  expect(failed.filter(line => !line.startsWith('Bikes as Keeper'))).toEqual([
    expect.stringMatching(
      /^Bike, note: .*: Kira, change, broken true without note: the application takes it, .*\n\s*Kira, change, note left out: the application takes it,/,
    ),
    expect.stringMatching(/^Bikes: its order by further keys: Bike Zephyr \S+ stands before Bike Comet /),
    expect.stringMatching(/^Rides as Keeper: .*, Ridden: it was 2 and is 3: that is said to be bad$/),
  ])
})
