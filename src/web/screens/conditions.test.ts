/** Conditions as people read them: labels in place of keys, words in place of signs. */
import { beforeAll, expect, test } from 'vitest'
import { readApp } from '../../headings/index.ts'
import { specified } from '../../headings/specified.ts'
import { type Site, siteFor, siteOf } from '../site.ts'
import { wordsOf } from './conditions.ts'

const cases = [
  ['`owner = me`', 'Owner is you', 'Owner Sie selbst sind'],
  [
    '`not open and due is not empty`',
    'Open is No and Due back is filled in',
    'Open Nein ist und Due back ausgefüllt ist',
  ],
  ['`due < today + 3`', 'Due back is before today + 3 days', 'Due back vor heute + 3 Tage liegt'],
  [
    '`club.leader is not me or (open and price >= 1500.5)`',
    'Club: Leader is somebody else or (Open is Yes and Price is at least €1,500.50)',
    'Club: Leader jemand anderes ist oder (Open Ja ist und Price mindestens 1.500,50 € ist)',
  ],
  [
    '`count(other Case where owner = this.owner and open) < limits.most_open`',
    'the number of other cases (where Owner is Owner of this record and Open is Yes) is less than Most open',
    'die Anzahl von Case außer diesem (wobei Owner Owner dieses Datensatzes ist und Open Ja ist) kleiner als Most open ist',
  ],
  [
    '`sum(lines.amount) * 2 > price`',
    'the sum of Amount of Lines × 2 is more than Price',
    'die Summe von Amount über Lines × 2 größer als Price ist',
  ],
  [
    '`all(lines where amount > 0)`',
    'of all Lines it is so that Amount is more than €0.00',
    'für alle Lines gilt, dass Amount größer als 0,00 € ist',
  ],
  [
    '`any(Club where leader = me)`',
    'there are clubs (where Leader is you)',
    'es Club (wobei Leader Sie selbst sind) gibt',
  ],
  [
    '`any(Case where follows = this)`',
    'there are cases (where Follows is this record)',
    'es Case (wobei Follows dieser Datensatz ist) gibt',
  ],
  ['`me in club.members`', 'you are one of Club: Members', 'Sie zu Club: Members gehören'],
  [
    '`length(name) between 3 and 9`',
    'the length of Name is between 3 and 9',
    'die Länge von Name zwischen 3 und 9 liegt',
  ],
  ['`my.name starts with "A"`', 'your Name starts with A', 'Ihr Feld „Name“ mit A beginnt'],
  [
    '`days_between(due, today) > 2`',
    'the days between Due back and today is more than 2',
    'die Tage zwischen Due back und heute größer als 2 ist',
  ],
  [
    '`working_days(due, today, club) > 2`',
    'the working days between Due back and today (by the closed days of Club) is more than 2',
    'die Arbeitstage zwischen Due back und heute (nach den Schließtagen von Club) größer als 2 ist',
  ],
  [
    '`is_open(created_at, club)`',
    'Created at is in working time (by the closed days of Club)',
    'Angelegt am in der Arbeitszeit liegt (nach den Schließtagen von Club)',
  ],
  ['`created_at + 36 hours < now`', 'Created at + 36 hours is before now', 'Angelegt am + 36 Stunden vor jetzt liegt'],
] as const

const text = `# Cases

## 1 What the product does and for whom

- **Time zone:** UTC
- **Languages:** English, German

## 3 Entities and their fields

### Club

| Field | Type |
| --- | --- |
| name | text 20 |
| leader | Person |
| members | several Person |

### Case

| Field | Type | Rules | Label |
| --- | --- | --- | --- |
| name | text 20 | required | |
| owner | Person | required | |
| open | yes/no | default no | |
| due | date | required | Due back |
| price | money EUR | required | |
| club | Club | required | |
| follows | Case | | |
| lines | list of Line | | |

### Line (part of Case)

| Field | Type | Rules |
| --- | --- | --- |
| amount | money EUR | required |

### Closing day

| Field | Type |
| --- | --- |
| day | date |
| club | Club |

## 4 States and transitions

### Case

| State | Kind |
| --- | --- |
| New | start |
| Old | end |

| Transition | From | To | Who | When |
| --- | --- | --- | --- | --- |
${cases.map(([condition], index) => `| t${index} | New | Old | everyone signed in | ${condition} |`).join('\n')}

## 9 Business constants and limits

| Name | Value |
| --- | --- |
| most_open | 3 |

### Working time

- **Hours:** 09:00 to 17:00
- **Closed on:** Closing day.day of club
`

let site: Site
beforeAll(async () => {
  const { app, found } = readApp('cases.md', () => text, { version: () => 'one' })
  expect(found.filter(({ severity }) => severity === 'error').map(one => `${one.code} ${one.message}`)).toEqual([])
  site = siteOf({ app: app!, store: null! }, { provenance: false, document: null })
})

const conditionOf = (index: number) =>
  specified(site.app.workflows.get('case')!.transitions.find(({ key }) => key === `t${index}`)!.when!)!

test.each(cases.map((one, index) => [...one, index] as const))('%s', (_, english, german, index) => {
  expect(wordsOf(site, 'case', conditionOf(index), null)).toBe(english)
  expect(wordsOf(siteFor(site, 'de', null), 'case', conditionOf(index), null).replaceAll('\u00a0', ' ')).toBe(german)
})

test('about somebody else they are named', () => {
  expect(wordsOf(site, 'case', conditionOf(0), 'Lotte')).toBe('Owner is Lotte')
})
