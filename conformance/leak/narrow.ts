/** The loan desk with narrower permissions: fields and records that some see on some rows only, and records that others refer to. */
export const narrowDesk: readonly (readonly [from: string, to: string])[] = [
  ['- **Sample data:** [items.csv](data/items.csv)\n', '- **Delete:** archives\n'],
  // Stored instead of computed, so that it can differ while everything that somebody sees is the same.
  ['| total_value | money EUR | = sum(lines.value) | |', '| total_value | money EUR | set by steps only | |'],
  ['| purpose | long text 500 | | |', '| purpose | long text 500 | searchable | |'],
  [
    '| Clerk | yes | yes | `state in (Requested, Approved)` |',
    `| never | \`state = Draft and borrower != me\` | | |
| Clerk | yes | yes | \`state in (Requested, Approved)\` |`,
  ],
  ['| purpose | Borrower, Clerk, Manager | Borrower |', '| purpose | Borrower, Manager | Borrower |'],
  [
    '| /reports | Reports | Manager | dashboard |',
    `| /reports | Reports | Manager | dashboard |
| /all | All loans | everyone signed in | list of Loan |
| /loans/{number}/print | Loan on paper | everyone signed in | print of Loan |
| /items | Items | everyone signed in | list of Item |`,
  ],
  [
    '### Desk board',
    `### Loan on paper

- **Title:** {number} for {borrower.email}
- **Columns:** borrower, borrower.email, purpose, total_value, lines.item, lines.value
- **Footer:** {total_value}

#### What it is worth

- **Text:** {sum(lines.item.value)}, {count(Loan where borrower = this.borrower)}

### Desk board`,
  ],
  [
    '## 7 The calls it makes',
    `### Loan line

| Field | See | Change |
| --- | --- | --- |
| value | Clerk, Manager | none |

### Item

| Role | See | Create | Change | Delete | Do |
| --- | --- | --- | --- | --- | --- |
| Borrower | \`retired_on is empty\` | no | no | no | none |
| Clerk | yes | yes | yes | no | none |
| Manager | yes | yes | yes | yes | none |

| Field | See | Change |
| --- | --- | --- |
| value | Clerk, Manager | Clerk, Manager |

## 7 The calls it makes`,
  ],
]
