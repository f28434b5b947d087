/** Heading 7: N17xx. */
import type { CodeTable } from '../../document/diagnostic.ts'

export const callCodes = {
  N1701: {
    severity: 'error',
    declaredIn: 7,
    message: 'there is no call `{call}`{meant}',
    help: 'The calls are: {known}.',
  },
  N1702: { severity: 'error', message: 'the call `{call}` is declared twice', help: 'Give one of them another name.' },
  N1703: {
    severity: 'error',
    declaredIn: 7,
    message: 'there is no mail `{mail}`{meant}',
    help: 'The mails are: {known}.',
  },
  N1704: { severity: 'error', message: 'the mail `{mail}` is declared twice', help: 'Give one of them another name.' },
  N1705: {
    severity: 'error',
    message: '`{request}` is not a request',
    help: 'Write the method and the address: `POST {example}`.',
  },
  N1706: {
    severity: 'error',
    message: '`{trigger}` is not a trigger',
    help: 'Write the step that starts it: `after Loan take back`.',
  },
  N1707: {
    severity: 'error',
    message: '`{text}` is not a length of time',
    help: 'Write it like `10 seconds` or `2 hours`.',
  },
  N1708: {
    severity: 'error',
    message: '`{status}` is not an answer',
    help: 'Write statuses separated by commas: `200, 201`, `5xx`, `timeout`.',
  },
  N1709: {
    severity: 'error',
    message: '`{act}` cannot follow an answer{meant}',
    help: 'Write one of: {known}. Separate several with semicolons.',
  },
  N1710: {
    severity: 'warning',
    message: 'nothing starts the call {call}',
    help: 'Add a trigger such as `after Loan take back`, or write `call {call}` in the Then of a step.',
  },
  N1711: {
    severity: 'warning',
    message: 'nothing sends the mail {mail}',
    help: 'Write `send mail {mail}` in the Then of a step or timer, or remove the row.',
  },
  N1712: {
    severity: 'error',
    message: 'the mail {mail} goes to nobody',
    help: 'Write a role, or a field that names a person.',
  },
  N1713: {
    severity: 'error',
    message: 'this names {found}, not a person',
    help: 'Write a role, a role with a condition (`Clerk where department = this.department`), or a field of type Person, several Person or e-mail.',
  },
  N1714: {
    severity: 'warning',
    message: 'the call {call} does not say what happens when it fails',
    help: 'Add rows such as `timeout, 5xx` with `repeat 6 times within 2 hours; then report E-…`.',
  },
  N1715: { severity: 'error', message: 'the setting `{setting}` is declared twice', help: 'Keep one of the two rows.' },
  N1716: {
    severity: 'error',
    message: '{what} is used for {first} and for {second}',
    help: 'Its text can read only one of them; write one for each.',
  },
  N1717: {
    severity: 'error',
    message: '`{text}` does not name a secret',
    help: 'Write `secret` and the name of an environment variable: `secret ASSETS_KEY`.',
  },
  N1718: {
    severity: 'error',
    message: '`{text}` does not say whether it is safe to repeat',
    help: 'Write `yes`, `no`, or `yes, key {example}`.',
  },
  N1719: { severity: 'error', looksAt: [7], message: '`{name}` is sent twice', help: 'Give one of them another name.' },
  N1720: {
    severity: 'error',
    message: '`{text}` is not a repetition',
    help: 'Write it like `repeat 6 times within 2 hours`: at most 100 times, within at most 30 days, in seconds, minutes, hours or days.',
  },
  N1721: {
    severity: 'error',
    message: '`{type}` is not a type of setting{meant}',
    help: 'Write text, link or secret.',
  },
  N1722: {
    severity: 'error',
    message: 'the call {call} is about no record, so `{what}` has nothing to read or write',
    help: 'Add a trigger such as `after Loan take back`, or write `call {call}` in the Then of a step.',
  },
  N1723: {
    severity: 'error',
    message: 'the value of `{hole}` would decide which host the call goes to',
    help: 'Write the host in the document, or name a setting: `{example}`. Values of records can follow the host.',
  },
  N1724: {
    severity: 'error',
    message: '`{name}` is not a name for a message',
    help: 'It is the end of an address: write lower-case letters, digits and underscores, as in `Receives stock_count`.',
  },
  N1725: {
    severity: 'error',
    message: 'anybody could send {receive}',
    help: 'Write `Sign with` or `Key` and the name of an environment variable: `secret STOCK_KEY`.',
  },
  N1726: {
    severity: 'error',
    looksAt: [7],
    message: '`{field}` does not identify one {entity}',
    help: 'Write a field that is unique, and a row that takes its value from {receive}.',
  },
  N1727: {
    severity: 'error',
    message: '`{text}` is not something a message can do',
    help: 'Write `change`, `create`, `create or change`, or one step: `do count`. What a message brings is taken by a table below: `| Receive | Into |`.',
  },
  N1728: {
    severity: 'warning',
    message: 'the mail {mail} is a link to {entity}, which {who} may not see then',
    help: 'Let them see it under heading 6, send it to somebody else, or write a Body that needs no link.',
  },
  N1729: {
    severity: 'warning',
    message: 'the mail {mail} tells {who} `{field}` of {entity}, which they never see',
    help: 'Remove it from the text, send the mail to somebody else, or let them see the field under heading 6. If it is intended, accept it by name: `- **Accept:** N1729 {mail}`.',
  },
  N1730: {
    severity: 'error',
    message: '`{text}` is not an order of calls: {why}',
    help: 'Write a path to a record, or to a text, a choice, a whole number or a date: `in order per item.store`; or other calls: `in order with C-1`.',
  },
  N1731: {
    severity: 'error',
    message: '`{text}` is not a span of quiet hours: {why}',
    help: 'Write `- **Quiet hours:** 21:00 to 07:00` under heading 7.',
  },
  N1733: {
    severity: 'error',
    message: '`{name}` cannot be sent: {why}',
    help: 'Write `customer.name` for a value inside an object, and `items[].name` with a value for each row, such as `lines.item.name`.',
  },
  N1734: {
    severity: 'error',
    message: '`{header}` is not a header of a call: {why}',
    help: 'Write a name, a colon and a value, whose holes are settings: `- **Header:** {example}`. What is secret is a setting of type secret.',
  },
  N1732: {
    severity: 'error',
    message: 'this body belongs to no mail: {why}',
    help: 'Write the name of a mail of heading 7 after the kind, ```ninefold mail returned, and leave the Body of its row empty.',
  },
  N1735: {
    severity: 'error',
    message: 'nothing makes the call {call} about {entity}, so none is withdrawn',
    help: 'A call is withdrawn by the record that it is about. Inside of `for each` that is each of the records.',
  },
  N1740: {
    severity: 'error',
    message: 'a message belongs to no tenant, but {entity} does',
    help: 'Receive it into an entity with `- **Tenant:** none`, and let an effect of heading 4 pass it on to its tenant.',
  },
  N1741: {
    severity: 'error',
    message: '`{text}` does not name the language of a mail: {why}',
    help: 'Write the path to a choice of the languages of heading 1, such as `language` of the type `choice: {languages}`. What names none of them gets the default one.',
  },
  N1742: {
    severity: 'error',
    message: 'the message {receive} cannot write `{field}`: {why}',
    help: 'Take the row out, or name a field that a message can write.',
  },
  N1743: {
    severity: 'warning',
    message: 'nothing tells which of two messages {receive} is the newer one, or that one was sent twice',
    help: 'Write `- **Once per:** message_id`, the name in the body that is the same in repetitions, or `- **Newest by:** counted_at`, a field that only grows.',
  },
  N1744: {
    severity: 'error',
    message: '`Found by` names a field, not a condition',
    help: 'Write `{field}` alone: it is compared with what the message brings for it, by a row of the table `| Receive | Into |`.',
  },
  N1745: {
    severity: 'error',
    message: '`{text}` does not say how many messages are taken in a minute',
    help: 'Write a whole number up to 999999, or a constant of heading 9 that is one: `1200`, `limits.max_counts`.',
  },
  N1746: {
    severity: 'error',
    message: '`{act}` is not possible: {why}',
    help: 'Write `receive prices from answer.items`, and what such a message does under `### Receives prices`.',
  },
  N1747: {
    severity: 'error',
    message: '`{text}` stands under {column}, which is `yes` or nothing',
    help: 'Write `yes`, or leave it empty.',
  },
  N1748: {
    severity: 'warning',
    message: 'nobody can choose whether they get the mail {mail}: it goes to addresses alone',
    help: 'Leave `Optional` empty, or send it to people who have an account: they choose on its page.',
  },
} as const satisfies CodeTable
