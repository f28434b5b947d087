/** Lanes of a timeline in groups: by a field of what they are for, for whoever sees it, with what of all of them is taken. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { input, made } from '../../../run/testing.ts'
import { startTestWeb, type TestWeb } from '../../../web/testing.ts'
import { appOf } from '../../testing.ts'

const app = appOf(`# Rooms

## 1 What the product does and for whom

- **Languages:** en

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /plan | Plan | everyone signed in | timeline of Booking by room, from first_day to last_day |
| /rooms | Rooms | everyone signed in | list of Room |

### Plan

- **Groups:** building

## 3 Entities and their fields

### Building

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required; unique |

### Room

| Field | Type | Rules |
| --- | --- | --- |
| name | text 40 | required; unique |
| building | Building | |

### Booking

| Field | Type | Rules |
| --- | --- | --- |
| room | Room | |
| first_day | date | required |
| last_day | date | required |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Author | appointed by Author |
| Builder | appointed by Author |

### Building

| Role | See | Create |
| --- | --- | --- |
| Author | yes | yes |

### Room

| Role | See | Create |
| --- | --- | --- |
| Author | yes | yes |
| Builder | yes | no |

| Field | See |
| --- | --- |
| building | Author |

### Booking

| Role | See | Create |
| --- | --- | --- |
| Author | yes | yes |
| Builder | yes | no |
`)

let web: TestWeb

beforeAll(async () => {
  web = await startTestWeb(inject('databaseUrl'), app)
  const { run } = web
  const [south, north] = [
    await made(run, 'Anna', 'building', input({ name: 'South' })),
    await made(run, 'Anna', 'building', input({ name: 'North' })),
  ]
  const rooms: Record<string, string> = {}
  for (const [name, building] of [
    ['Oak', south],
    ['Elm', north],
    ['Ash', south],
    ['Yard', null],
  ] as const)
    rooms[name] = await made(run, 'Anna', 'room', input({ name, building }))
  for (const [room, first, last] of [
    [rooms.Oak, '2026-03-02', '2026-03-06'],
    [rooms.Ash, '2026-03-02', '2026-03-03'],
    [null, '2026-03-02', '2026-03-02'],
  ] as const)
    await made(run, 'Anna', 'booking', input({ room: room ?? null, first_day: first, last_day: last }))
})
afterAll(() => web?.stop())

const week = '/plan?view=week&on=2026-03-04'
/** Headings of the lanes in their order, those of groups with what of them is taken. */
async function headings(name: string): Promise<readonly string[]> {
  const { text } = await (await web.signedIn(web.run.people[name]!)).get(week)
  const axis = text.slice(text.indexOf('class="axis'))
  return [...axis.matchAll(/<(h[34])>(?:<a[^>]*>)?([^<]*).*?<\/div>/gs)].map(([all, level, label]) =>
    level === 'h3' ? `${label} ${/title="([^"]*)"/.exec(all!)?.[1] ?? ''}`.trim() : `- ${label}`,
  )
}

test('lanes stand together by what they have in the field, in its order, and by name in each', async () => {
  expect(await headings('Anna')).toEqual([
    'North 0% taken',
    '- Elm',
    'South 70% taken',
    '- Ash',
    '- Oak',
    'Other 0% taken',
    '- Yard',
    '- Without Room',
  ])
})

test('who does not see the field sees lanes without groups, by name', async () => {
  const seen = await headings('Ben')
  expect(seen.map(one => one.split(' ')[0])).toEqual(['Ash', 'Elm', 'Oak', 'Yard', 'Without'])
})

test('what is looked for leaves groups without anything out', async () => {
  const { text } = await (await web.signedIn(web.run.people.Anna!)).get(
    `${week}&first_day=2026-03-02&last_day=2026-03-06`,
  )
  const found = [...text.matchAll(/<h[34]>(?:<a[^>]*>)?([^<]*)/g)].map(([, label]) => label)
  expect(found.filter(label => ['North', 'South', 'Other', 'Oak', 'Ash'].includes(label!))).toEqual(['South', 'Oak'])
})

test('groups cost no statement', async () => {
  const browser = await web.signedIn(web.run.people.Anna!)
  web.statements.length = 0
  await browser.get(week)
  expect(web.statements.length).toBeLessThanOrEqual(2)
})
