/** Small documents with permissions by chance: roles that see some records and some fields of them, of which `check` has nothing to say. */
import fc from 'fast-check'
import { readApp } from '../../src/headings/index.ts'
import { monday } from '../desk.ts'

const roles = ['Reader', 'Keeper', 'Chief'] as const
const states = ['Draft', 'Sent', 'Done'] as const
/** Computed fields. */
const sums: readonly string[] = ['jobs', 'worth', 'total']

interface Closed {
  readonly field: string
  readonly to: readonly string[]
  readonly when: string
}

/** Who sees what of an entity: a condition for each role, and the fields that are closed to some. */
interface Access {
  readonly see: readonly string[]
  readonly change: readonly string[]
  readonly closed: readonly Closed[]
}

interface Generated {
  readonly place: Access
  readonly job: Access
  readonly person: readonly string[]
  readonly part: readonly string[] | null
  readonly totals: readonly string[]
  /** What the list of jobs is grouped by. */
  readonly groups: string
  /** Rules of the field. */
  readonly note: string
}

const some = fc.subarray([...roles], { minLength: 1, maxLength: 2 })

function access(
  conditions: readonly string[],
  fields: readonly string[],
  whens: readonly string[],
): fc.Arbitrary<Access> {
  const quoted = fc.constantFrom(...conditions.map(text => `\`${text}\``))
  const cell = fc.oneof({ weight: 3, arbitrary: quoted }, { weight: 1, arbitrary: fc.constant('yes') })
  return fc.record({
    see: fc.tuple(cell, cell, fc.oneof(cell, fc.constant('yes'))),
    change: fc.tuple(fc.constantFrom('no', 'yes'), fc.constantFrom('no', 'yes'), fc.constant('yes')),
    closed: fc.uniqueArray(
      fc
        .record({ field: fc.constantFrom(...fields), to: some, when: fc.constantFrom('', '', ...whens) })
        // Somebody must be able to fill in a title.
        .map(one => (one.field === 'title' ? { ...one, to: [...new Set([...one.to, 'Chief'])] } : one)),
      { minLength: 1, maxLength: 4, selector: ({ field }) => field },
    ),
  })
}

const generated: fc.Arbitrary<Generated> = fc.record({
  place: access(
    ['open', 'keeper = me', 'open or keeper = me', 'size > 3'],
    ['title', 'keeper', 'size', 'jobs', 'worth'],
    ['`open`'],
  ),
  job: access(
    [
      'owner = me',
      'state in (Sent, Done)',
      'state = Draft',
      'urgent',
      'place.open',
      'owner = me or state = Done',
      'hours > 2',
    ],
    ['title', 'owner', 'place', 'near', 'hours', 'starts_on', 'ends_on', 'note', 'urgent', 'kind', 'parts', 'total'],
    ['`state = Done`', '`owner = me`', '`urgent`'],
  ),
  person: fc.constantFrom(['yes', 'yes', 'yes'], ['`this = me`', 'yes', 'yes'], ['`this = me`', '`this = me`', 'yes']),
  part: fc.option(fc.constantFrom(['`cost > 3`', 'yes', 'yes'], ['`place.open`', '`job.owner = me`', 'yes'])),
  totals: fc.subarray([...sums], { minLength: 1 }),
  groups: fc.constantFrom('owner', 'place', 'kind, owner', 'month of starts_on', 'note', 'urgent, place'),
  note: fc.constantFrom('searchable', 'hidden'),
})

/** Within two months around the day of the servers. */
const dayOf = (index: number) => new Date(Date.parse(monday) + (index * 5 - 25) * 86_400_000).toISOString().slice(0, 10)

const table = (head: string, rows: readonly string[]): string =>
  `| ${head} |\n|${' --- |'.repeat(head.split(' | ').length)}\n${rows.map(row => `| ${row} |\n`).join('')}`

function documentOf({ place, job, person, part, totals, groups, note }: Generated): string {
  const computed = (key: string, type: string, expression: string) =>
    totals.includes(key) ? [`${key} | ${type} | = ${expression}`] : []
  const has = ({ field }: Closed) => totals.includes(field) || !sums.includes(field)
  const permissions = ({ see, change, closed }: Access, steps: string) =>
    `${table(
      'Role | See | Create | Change | Delete | Do | Export',
      roles.map(
        (role, at) => `${role} | ${see[at]} | ${role === 'Chief' ? 'yes' : 'no'} | ${change[at]} | no | ${steps} | yes`,
      ),
    )}\n${table(
      'Field | See | Change | When',
      closed.filter(has).map(({ field, to, when }) => {
        const isComputed = sums.includes(field)
        const changing = !isComputed && to.includes('Chief') ? 'Chief' : 'none'
        return `${field} | ${to.join(', ')} | ${changing} | ${isComputed ? '' : when}`
      }),
    )}`
  const people = ['Rita', 'Karl', 'Cora', 'Nora']
  const places = ['North', 'South', 'East', 'West']
  const jobs = Array.from({ length: 12 }, (_, at) => ({
    title: `Job ${at}`,
    owner: people[at % 4]!,
    place: places[(at * 3 + 1) % 4]!,
    near: at % 3 === 0 ? `${places[at % 4]}, ${places[(at + 1) % 4]}` : places[at % 4]!,
  }))
  return `# Generated

## 1 What the product does and for whom

- **Time zone:** Europe/London
- **Languages:** English

## 2 Screens and routes

${table('Route | Screen | For | Shows', [
  '/places | Places | everyone signed in | list of Place',
  '/places/{title} | Place | everyone signed in | one Place',
  '/jobs | Jobs | everyone signed in | list of Job',
  '/jobs/{number} | Job | everyone signed in | one Job',
  '/board | Board | everyone signed in | board of Job by state',
  '/kinds | Kinds | everyone signed in | report of Job by kind',
  '/load | Load | everyone signed in | chart of Job by place',
  '/calendar | Calendar | everyone signed in | calendar of Job by starts_on to ends_on',
  '/plan | Plan | everyone signed in | timeline of Job by place, from starts_on to ends_on',
  '/people | People | everyone signed in | timeline of Job by owner, from starts_on',
  '/crossed | Crossed | everyone signed in | pivot of Job by place, kind',
  '/overview | Overview | everyone signed in | dashboard',
  '/inbox | Inbox | everyone signed in | inbox',
])}
### Kinds

- **Measure:** sum of hours as Hours

### Jobs

- **Group by:** ${groups}
- **Totals:** hours, average of hours

### Load

- **Measure:** sum of hours as Hours

### Crossed

- **Across:** month of starts_on
- **By:** owner, state
- **Measure:** sum of hours as Hours
- **Measure:** average of hours as Mean

### Overview

- **Period:** year

#### Hours

- **Measure:** sum of hours of Job
- **Date:** starts_on

#### Jobs

- **Measure:** count of Job
- **By:** month of starts_on, kind

#### Next

- **Shows:** list of Job
- **Columns:** title, hours
- **Sort:** starts_on

## 3 Entities and their fields

### Person

#### Sample data

${table(
  'name | email | role',
  people.map((name, at) => `${name} | ${name.toLowerCase()}@example.com | ${roles[at] ?? 'Reader, Keeper'}`),
)}
### Place

${table('Field | Type | Rules', [
  'title | text 40 | required; unique; searchable',
  'keeper | Person | ',
  'open | yes/no | default no',
  'size | integer | ',
  ...computed('jobs', 'integer', 'count(Job where place = this)'),
  ...computed('worth', 'integer', 'sum(Job.hours where place = this)'),
])}
#### Sample data

${table(
  'title | keeper | open | size',
  places.map((title, at) => `${title} | ${people[(at + 1) % 4]} | ${at % 2 === 0 ? 'yes' : 'no'} | ${at + 2}`),
)}
### Job

${table('Field | Type | Rules', [
  'number | auto number J-{0000} | ',
  'title | text 40 | required; searchable',
  'owner | Person | default me',
  'place | Place | ',
  'near | several Place | ',
  'hours | integer | ',
  'starts_on | date | ',
  'ends_on | date | ',
  `note | text 40 | ${note}`,
  'urgent | yes/no | default no',
  'kind | choice: Small, Large | ',
  'parts | list of Part | ',
  ...computed('total', 'integer', 'sum(parts.cost)'),
])}
#### Sample data

${table(
  'Job | title | owner | place | near | hours | starts_on | ends_on | note | urgent | kind | state',
  jobs.map(
    ({ title, owner, place: at, near }, index) =>
      `J${index} | ${title} | ${owner} | ${at} | ${near} | ${index % 6} | ${dayOf(index)} | ${dayOf(index + 2)} | Note ${index} | ${index % 3 === 1 ? 'yes' : 'no'} | ${index % 2 === 0 ? 'Small' : 'Large'} | ${states[(index * 7) % 3]}`,
  ),
)}
### Part (part of Job)

${table('Field | Type | Rules', ['name | text 40 | required', 'cost | integer | ', 'place | Place | '])}
#### Sample data

${table(
  'job | name | cost | place',
  jobs.map(({ place: at }, index) => `J${index} | Part ${index} | ${(index * 5) % 7} | ${at}`),
)}
## 4 States and transitions

### Job

${table('State | Kind', ['Draft | start', 'Sent | ', 'Done | end'])}
${table('Transition | From | To | Who', ['send | Draft | Sent | Keeper, Chief', 'finish | Sent | Done | Chief'])}
## 6 Roles and permissions

${table(
  'Role | Who',
  roles.map(role => `${role} | appointed by Chief`),
)}
### Person

${table(
  'Role | See',
  roles.map((role, at) => `${role} | ${person[at]}`),
)}
### Place

${permissions(place, 'none')}
### Job

${permissions(job, 'all')}
${
  part === null
    ? ''
    : `### Part\n\n${table(
        'Role | See',
        roles.map((role, at) => `${role} | ${part[at]}`),
      )}`
}`
}

/** The first of them of which `check` has nothing to say. */
export function generatedDocuments(count: number, seed: number): readonly string[] {
  const texts: string[] = []
  for (const one of fc.sample(generated, { numRuns: 40 * count, seed })) {
    const text = documentOf(one)
    const { found } = readApp('generated.md', () => text)
    if (found.every(({ severity }) => severity !== 'error' && severity !== 'warning')) texts.push(text)
    if (texts.length === count) return texts
  }
  throw new Error(`Only ${texts.length} of the generated documents check clean.`)
}
