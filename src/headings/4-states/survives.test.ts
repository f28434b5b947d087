import { expect, test } from 'vitest'
import { readApp } from '../index.ts'

const text = `# Requests

## 3 Entities and their fields

### Request

| Field | Type | Rules |
| --- | --- | --- |
| by | Person | required; default me |
| remarks | text 80 | |
| answer | text 80 | |

## 4 States and transitions

### Request

| State | Kind |
| --- | --- |
| Asked | start |
| Question | |
| Approved | end |

| Transition | From | To | Who | Asks |
| --- | --- | --- | --- | --- |
| approve | Asked | Approved | Clerk | |
| ask | Asked | Question | Clerk | |
| answer | Question | Asked | by | answer required |

| Approval | Of | Needs | From | Survives |
| --- | --- | --- | --- | --- |
| clerks | approve | 2 of | Clerk | remarks, ask, answer |

## 6 Roles and permissions

| Role | Who |
| --- | --- |
| Clerk | appointed by Clerk |

### Request

| Role | See | Create | Change | Do |
| --- | --- | --- | --- | --- |
| Clerk | yes | yes | yes | all |
`

test('what decisions outlast is a step as well where a field is called like it', () => {
  const [approval] = readApp('requests.md', () => text).app!.workflows.get('request')!.approvals
  expect(approval!.survives).toMatchObject({ fields: ['remarks', 'answer'], steps: ['ask', 'answer'] })
})
