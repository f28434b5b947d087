import { expect, test } from 'vitest'
import { readApp } from '../index.ts'

const page = `# Claims

- **Ninefold:** 1

## 2 Screens and routes

| Route | Screen | For | Shows |
| --- | --- | --- | --- |
| /claims | Claims | Member | list of Claim |
| /numbers | Numbers | Member | dashboard |

### Numbers

#### Dear ones

- **Measure:** count of Claim where project.place = "Ulm"

## 3 Entities and their fields

### Department

| Field | Type | Rules |
| --- | --- | --- |
| name | text 20 | required; unique |
| place | text 20 | |
| budget | integer | |
| secret | integer | hidden |

### Project

| Field | Type | Rules |
| --- | --- | --- |
| title | text 20 | required; unique |
| place | text 20 | |
| department | Department | |

### Claim

| Field | Type | Rules |
| --- | --- | --- |
| project | Project | required |
| amount | integer | required; min 0 |
| level | integer | |

## 4 States and transitions

### Claim

| State | Kind |
| --- | --- |
| Draft | start |
| Sent | end |

| Transition | From | To | Who | When |
| --- | --- | --- | --- | --- |
| send | Draft | Sent | Member | amount > 0 |
| close | Draft | Sent | Chief | amount > 1 |

## 5 Validation rules

| Rule | Applies to | Must hold | Error |
| --- | --- | --- | --- |
| V-1 | Claim | amount < 1000 | E-1 |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Member | everyone signed in |
| Chief | appointed by Chief |

### Department

| Role | See | Create | Change |
| --- | --- | --- | --- |
| Member | yes | no | no |
| Chief | yes | yes | yes |

| Field | See | Change |
| --- | --- | --- |
| budget | Chief | Chief |

### Project

| Role | See | Create | Change |
| --- | --- | --- | --- |
| Member | yes | no | no |
| Chief | yes | yes | yes |

### Claim

| Role | See | Create | Change | Do |
| --- | --- | --- | --- | --- |
| Member | yes | yes | yes | send |
| Chief | yes | no | no | close |

| Field | See | Change |
| --- | --- | --- |
| level | Chief | Chief |

## 8 The error catalogue

| Code | Message |
| --- | --- |
| E-1 | Too much. |
`

const told = (text: string) => {
  const { found } = readApp('claims.md', () => text)
  expect(found.flatMap(({ severity, code, message }) => (severity === 'error' ? [`${code} ${message}`] : []))).toEqual(
    [],
  )
  return found.flatMap(({ code, message, related }) => {
    if (code !== 'N1627') return []
    expect(related?.map(one => one.message)).toEqual(['closed here', 'told here'])
    return [message]
  })
}
const rule = (condition: string) => page.replace('amount < 1000', condition)
const when = (condition: string) => page.replace('amount > 0', condition)
const field = (rules: string) => page.replace('required; min 0', rules)
const timer = (then: string) => `| Timer | While | At | When | Then |
| --- | --- | --- | --- | --- |
| lapse | Draft | 2 days after entering | project.department.budget > 5 | ${then} |
`
const sweep = `| Timer | At | Then |
| --- | --- | --- |
| tidy | every day at 06:00 for each Claim where project.department.budget > 5 | set amount = 0 |
`
const effect = `| On | Of | When | Then |
| --- | --- | --- | --- |
| created | Claim | project.department.budget > 5 | set amount = 0 |
`
const budget = '`budget` of Department, which they may not see'

test.each([
  [
    'a rule over two references',
    rule('amount <= project.department.budget'),
    `the rule \`V-1\` tells Member of ${budget}`,
  ],
  [
    'a rule over a field of its own',
    rule('amount <= level or amount < 5'),
    'the rule `V-1` tells Member of `level`, which they may not see',
  ],
  ['a When', when('amount <= project.department.budget'), `the When of \`send\` tells Member of ${budget}`],
  ['a limit', field('required; max project.department.budget'), `the \`max\` of \`amount\` tells Member of ${budget}`],
  [
    'a condition of being required',
    field('required when project.department.budget > 5'),
    `the \`required when\` of \`amount\` tells Member of ${budget}`,
  ],
  [
    'what is offered',
    page.replace('| Project | required |', '| Project | required; choose from Project where department.budget > 5 |'),
    `the \`choose from\` of \`project\` tells Member of ${budget}`,
  ],
  [
    'a number of a dashboard',
    page.replace('project.place = "Ulm"', 'project.department.budget > 5'),
    `the card \`Dear ones\` tells Member of ${budget}`,
  ],
  [
    'where a record begins',
    page
      .replace('| Sent | end |', `| Checked | start when project.department.budget > 5 |\n| Sent | end |`)
      .replaceAll('| Draft | Sent |', '| Draft, Checked | Sent |'),
    `the \`start when\` of \`Checked\` tells Member of ${budget}`,
  ],
  [
    'a timer',
    page.replace('## 5 Val', `${timer('go to Sent')}\n## 5 Val`),
    `the When of \`lapse\` tells Member of ${budget}`,
  ],
  [
    'a timer that looks for records',
    page.replace('## 5 Val', `${sweep}\n## 5 Val`),
    `the where of \`tidy\` tells Member of ${budget}`,
  ],
  [
    'what follows',
    page.replace('## 5 Val', `${effect}\n## 5 Val`),
    `the When that sets \`amount\` tells Member of ${budget}`,
  ],
])('%s reveals what is closed', (_, text, message) => {
  expect(told(text)).toEqual([message])
})

test.each([
  ['nothing closed is read', page],
  ['a timer changes what they do not see', page.replace('## 5 Val', `${timer('set level = 1')}\n## 5 Val`)],
  ['only those who see it take the step', page.replace('amount > 1 |', 'amount > project.department.budget |')],
  ['what is hidden is there to decide', rule('amount <= project.department.secret')],
  [
    'what somebody enters they know',
    rule('level is empty or level < 9').replace('| level | Chief | Chief |', '| level | Chief | Member, Chief |'),
  ],
  [
    'it is asked when others write',
    rule('amount <= project.department.budget').replace('| V-1 | Claim |', '| V-1 | Claim on close |'),
  ],
  [
    'it is open',
    rule('amount <= project.department.budget').replace('| budget | Chief | Chief |', '| budget | all | Chief |'),
  ],
  [
    'it is accepted by its name',
    rule('amount <= project.department.budget').replace(
      '## 2 Screens',
      '## 1 What the product does and for whom\n\n- **Accept:** N1627 V-1\n\n## 2 Screens',
    ),
  ],
])('no warning where %s', (_, text) => {
  expect(told(text)).toEqual([])
})

test('the record that a role sees none of is closed as a whole', () => {
  const shut = rule('amount <= project.department.budget')
    .replace(
      '### Department\n\n| Role | See | Create | Change |\n| --- | --- | --- | --- |\n| Member | yes | no | no |\n',
      '### Department\n\n| Role | See | Create | Change |\n| --- | --- | --- | --- |\n',
    )
    .replace('| Field | See | Change |\n| --- | --- | --- |\n| budget | Chief | Chief |\n\n', '')
  expect(told(shut)).toEqual([`the rule \`V-1\` tells Member of ${budget}`])
})
