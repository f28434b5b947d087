/** Heading 4: N14xx. */
import type { CodeTable } from '../../document/diagnostic.ts'

export const stateCodes = {
  N1401: {
    severity: 'error',
    declaredIn: 4,
    message: '{entity} has no state `{state}`{meant}',
    help: 'Its states are: {known}.',
  },
  N1402: { severity: 'error', message: '{entity} has the state `{state}` twice', help: 'Keep one of the two rows.' },
  N1403: {
    severity: 'error',
    declaredIn: 4,
    message: '{entity} has no step `{step}`{meant}',
    help: 'Its steps are: {known}.',
  },
  N1404: {
    severity: 'warning',
    message: 'no step or timer leads from `{start}` to `{state}`',
    help: 'Add a step or timer that leads to it, or remove the state.',
  },
  N1405: {
    severity: 'warning',
    message: '`{state}` can be entered but never left',
    help: 'Add a step that leaves it, or write `end` in the Kind column.',
  },
  N1406: {
    severity: 'error',
    message: 'two states are marked `start`, and nothing says which records begin in which',
    help: 'Remove `start` from one of the rows, or say in it when records begin there: `start when urgent`.',
  },
  N1407: {
    severity: 'warning',
    message: 'no state of {entity} is marked `start`, so records start in `{state}`',
    help: 'Write `start` in the Kind column of the state in which records start.',
  },
  N1408: {
    severity: 'error',
    message: '`{name}` leaves `{state}`, which is marked `end`',
    help: 'Remove `end` from the Kind column, or remove the state from this row.',
  },
  N1409: { severity: 'warning', message: 'nobody can take `{step}`: {why}', help: '{help}' },
  N1410: {
    severity: 'error',
    message: '`{kind}` is not a kind of state{meant}',
    help: 'Write `start`, `end`, `good end`, `bad end`, or nothing.',
  },
  N1411: {
    severity: 'error',
    message: '`{act}` is not a known act{meant}',
    help: 'Write one of: {known}. Separate several with semicolons.',
  },
  N1412: {
    severity: 'error',
    message: 'a step changes the state with its To column, not with `go to`',
    help: 'Write the state in the To column.',
  },
  N1413: {
    severity: 'error',
    message: '`{field}` cannot be set: {why}',
    help: 'Set a field that has a value of its own; to change the state of another record, write `do <step> on <path>`.',
  },
  N1414: {
    severity: 'error',
    message: 'a timer needs a date with a time, or a moment; this is {found}',
    help: 'Write it like `due_back - 2 days` at 09:00, or `3 days after entering`, `4 working hours after reported_at`.',
  },
  N1415: {
    severity: 'error',
    message: '`{time}` is not a time of day',
    help: 'Write hours and minutes, 00:00 to 23:59, or a constant: `at limits.opening`.',
  },
  N1416: {
    severity: 'warning',
    message: 'this branch of `{step}` is never reached: the rows above it always apply in `{state}` where it would',
    help: 'Write a condition in the When column of the row above, or move this row up.',
  },
  N1417: {
    severity: 'error',
    declaredIn: 4,
    message: '{entity} has steps but no states',
    help: 'Add a table of states: `| State | Kind |`.',
  },
  N1418: {
    severity: 'error',
    message: '{entity} has two timers named `{name}`',
    help: 'Give one of them another name.',
  },
  N1419: {
    severity: 'error',
    message: '`{who}` is not possible here',
    help: 'Write roles or fields that name people, separated by commas, or `everyone signed in`. To exclude somebody, write `except` and a field.',
  },
  N1420: {
    severity: 'error',
    message: 'the states of {entity} are declared in two places',
    help: 'Put them in one table.',
  },
  N1421: {
    severity: 'error',
    message: '`{step}` cannot be the name of a step: {why}',
    help: 'Name it after what people do, and branches of one step alike: `hand out`.',
  },
  N1422: {
    severity: 'warning',
    message: '{role} is in the Who of `{step}`, but heading 6 does not let {role} do it',
    help: 'Add the step to the Do column of {role} under heading 6, or remove {role} here.',
  },
  N1423: {
    severity: 'error',
    message: '`{word}` cannot follow a field that a step asks for{meant}',
    help: 'Write fields separated by commas, with `required` after those that must be filled in.',
  },
  N1424: { severity: 'error', message: '`{step}` asks for `{field}` twice', help: 'Keep one of the two.' },
  N1425: {
    severity: 'error',
    message: '`{step}` cannot ask for `{field}`: {why}',
    help: 'Ask for a field that people can fill in.',
  },
  N1426: {
    severity: 'error',
    message: '`{locks}` cannot be before `except`',
    help: 'Write `all`, `all except remarks`, or fields separated by commas.',
  },
  N1427: {
    severity: 'error',
    message: '`{found}` leads to no record',
    help: 'Write a field that names a record (`fine`), a list (`lines`), `(Loan where item = this.item)`, or `first(Loan where item = this.item order by created_at)`.',
  },
  N1428: {
    severity: 'error',
    message: 'this is not possible: {what}',
    help: 'Write it like `create Fine with loan = this, amount = 5.00` or `for each (Loan where item = this.item): set late = yes`.',
  },
  N1429: {
    severity: 'error',
    declaredIn: 4,
    message: '`{occasion}` is not something that happens to {entity}{meant}',
    help: 'Write `created`, `changed`, `deleted`, or a step: {known}.',
  },
  N1430: {
    severity: 'error',
    message: 'this never ends: {way}',
    help: 'Write a condition in the When column of one of the rows.',
  },
  N1431: {
    severity: 'warning',
    looksAt: [3, 4],
    message: 'effects trigger each other in a circle: {way}',
    help: 'Make sure that a condition ends it. A change that affects more than a thousand records is refused as a whole.',
  },
  N1432: {
    severity: 'error',
    message: '`create {entity}` leaves `{field}` empty, but it is required',
    help: 'Add `{field} = …` after `with`, or give the field a default.',
  },
  N1433: {
    severity: 'error',
    message: '`{rhythm}` does not say how often a timer fires: {why}',
    help: 'Write `every working day at 09:00`, `every weekday at 06:00`, `every Monday, Thursday at 08:00`, `every day at 23:30`, `every month on the last working day at 18:00`, `every year on 31 December at 18:00`, `every 15 minutes` or `every 2 hours`.',
  },
  N1434: {
    severity: 'error',
    looksAt: [4],
    message: 'timer `{name}` stands under no entity, so it does not know its records',
    help: 'Say which records it is about: `every weekday at 06:00 for each Loan where due_back < today`; or move it under the heading 3 of an entity. One that is about none comes back: `every Monday at 08:00`, without `While`, and in an application without tenants.',
  },
  N1435: {
    severity: 'error',
    message: 'a timer cannot go through {found}: {why}',
    help: 'Write an entity and a condition: `for each Loan where due_back < today`.',
  },
  N1440: {
    severity: 'error',
    message: '`{state}` is still a state, so its records cannot be moved',
    help: 'Remove the state from the table, or remove its name from `(was …)`.',
  },
  N1441: {
    severity: 'warning',
    message: 'no row of `{step}` applies in `{state}` where {where}',
    help: 'The step stays closed there. If that is intended, accept it with `- **Accept:** N1441 {step}` under heading 1; otherwise add a row for it.',
  },
  N1442: {
    severity: 'warning',
    message: 'nobody can take `{step}` in {states}: {why}',
    help: '{help}',
  },
  N1443: {
    severity: 'warning',
    message: '`{step}` asks {role} for `{field}`, which {role} may not see',
    help: 'Let {role} see it under heading 6, remove it from Asks, or have somebody else take the step.',
  },
  N1444: {
    severity: 'warning',
    message: '`{timer}` never fires: `{other}` has always moved the record to `{state}` before',
    help: 'Let it fire earlier, or name other states in While.',
  },
  N1445: {
    severity: 'warning',
    message: 'both this row of `{step}` and one above it apply in `{state}` where {where}: the one above is taken',
    help: 'Separate the conditions (`amount <= 1000` and `amount > 1000`), or put the more general row last.',
  },
  N1446: {
    severity: 'warning',
    message:
      '`{timer}` is due {lead} before `{field}`, which may be only {notice} ahead: then it fires as soon as the record exists',
    help: 'Require as much notice as the timer needs, let it fire later, or say in its `When` that it was not too late.',
  },
  N1447: {
    severity: 'error',
    message: 'this does not say which {entity} comes first',
    help: 'Add the order: `order by created_at`, `order by priority down, created_at`.',
  },
  N1450: {
    severity: 'error',
    message: '`{needs}` does not say how many people must approve',
    help: 'Write `1 of`, `2 of` (up to `99 of`), `all of`, `majority of`, or a share (`60% of`).',
  },
  N1451: {
    severity: 'error',
    message: '{entity} has two approvals named `{name}`',
    help: 'Rename one of them: decisions are stored under the name.',
  },
  N1452: {
    severity: 'error',
    message: '`{found}` names no people, but {what}',
    help: 'Write roles, a field that names a person (`cost_centre.keeper`), or the people of a list (`departments.reviewer`).',
  },
  N1453: {
    severity: 'error',
    message: '`{step}` asks for fields, but several people decide on it',
    help: 'Remove Asks from the step: everybody who decides can give a reason anyway.',
  },
  N1454: { severity: 'warning', message: '`{name}` can never be given: {why}', help: '{help}' },
  N1455: {
    severity: 'warning',
    message: '{role} is asked by `{name}`, but cannot decide: {why}',
    help: '{help}',
  },
  N1456: {
    severity: 'warning',
    message: '`{name}` and `{other}` ask the same people, and both apply where {where}',
    help: 'A person counts once, so both together need more people there. Separate the bands (`net <= 1000` and `net > 1000`), or remove one row.',
  },
  N1457: {
    severity: 'error',
    message: '`run` has nothing to do: a function returns a value and changes nothing',
    help: 'Use its value: `set <field> = {function}`.',
  },
  N1458: {
    severity: 'error',
    message: 'timer {name} depends on `{read}`, which changes all the time, so its time could not be kept right',
    help: 'Store it in a field (`default now`, or `set asked_at = now` in the Then of a step) and use that; or write `3 days after entering`, or `every day at 09:00` with the rest under When.',
  },
  N1459: {
    severity: 'warning',
    message: 'no record ever gets its `{field}`: none of these steps can be taken',
    help: 'Name a step that starts from a state that records reach, or let a transition lead there.',
  },
  N1460: {
    severity: 'error',
    message: '`{found}` does not say what becomes of a time that was missed: {why}',
    help: 'Write `, skip if missed by 2 hours` or, for what comes back, `, each missed` at the end; without it a missed time happens once, however late.',
  },
  N1462: {
    severity: 'error',
    message: '`{name}` leads from `{state}`, so that {error} never answers there for the state',
    help: 'Name states from which it does not lead, or take it out of From. What Who or When refuses is answered by a code without `in`.',
  },
  N1463: {
    severity: 'warning',
    message: '{what}: nobody and nothing ever fills in `{field}`',
    help: 'Let a role change it under heading 6, let the step ask for it, or set it in a Then.',
  },
  N1464: {
    severity: 'error',
    looksAt: [4],
    message: 'timer `{name}` counts from entering a state, but {entity} has no states',
    help: 'Count from a field (`3 days after entering` becomes `created_at + 72 hours`, `2 working days after entering` becomes `2 working days after created_at`), or give {entity} states.',
  },
  N1465: {
    severity: 'error',
    message: '`{name}` cannot be a name here: {what}',
    help: 'Choose another name where it is given: `for each other_{name} in …`, `let other_{name} = …`.',
  },
  N1466: {
    severity: 'warning',
    message: '`{name}` leaves a gap: nobody is asked where {where}',
    help: 'Rows below and above it ask somebody. Let the bands meet: `net <= 1000` and `net > 1000`.',
  },
  N1467: {
    severity: 'warning',
    message: 'no record can ever meet this condition{why}',
    help: 'Change the condition{what}.',
  },
  N1468: {
    severity: 'error',
    message: '{error} never answers for the state of *{name}*: {first} does in the same states',
    help: 'In each state that a step does not lead from, one code answers, in whichever row of the step it stands. Name other states, or take one of the two out.',
  },
  N1469: {
    severity: 'error',
    message:
      '`{value}` reads `{field}`, which the same `set` writes before it: it is not clear which value of it is meant',
    help: 'To read what is set, begin anew with `; set {value} = …`; to read what was there before, put `{value}` first.',
  },
  N1470: {
    severity: 'error',
    message: '*{name}* cannot come after `{found}`: that is no approval of `{step}` above it{meant}',
    help: 'An approval waits for rows of its own step that stand above it. There: {known}.',
  },
  N1471: {
    severity: 'error',
    message: 'decisions cannot survive `{found}`: {entity} has no such field and no such other step{why}',
    help: 'Name fields whose changes leave decisions standing, and steps that do (`remarks, ask, answer`).',
  },
  N1472: {
    severity: 'error',
    message: '{entity} has no approval `{found}` that it could wait for{meant}',
    help: 'The approvals are: {known}.',
  },
  N1473: {
    severity: 'error',
    message: '`{act}` is about a record, and *{name}* is about none',
    help: 'Say which records: `for each (Loan where late): …`, `do close on (Loan where late)`; or create one, and let an effect of it go on: `| created | Report | send mail report |`.',
  },
  N1474: {
    severity: 'error',
    message: 'the clock of *{name}* cannot stand: {why}',
    help: 'Write the states in which it runs, and behind a semicolon those in which it stands: `Open, In work; stands in Waiting`. It fires once: `8 working hours after entering`.',
  },
  N1475: {
    severity: 'error',
    message: '`{field}` never takes this: {why}',
    help: 'Whatever does this is refused each time. Write a value that the field takes, or change what refuses it.',
  },
  N1476: {
    severity: 'error',
    message: 'where a record begins cannot go by `{field}`, which is given to it later',
    help: 'Write a condition over what people fill in, what that refers to, `me` or `my`: `start when urgent`.',
  },
  N1477: {
    severity: 'error',
    message: '`{found}` does not say how long the step can be taken back',
    help: 'Write a number of seconds, minutes or hours, at most a day: `30 seconds`, `10 minutes`. Leave it empty where it cannot be taken back.',
  },
  N1478: {
    severity: 'error',
    message: 'nobody can take `{name}` back: something else is done with it, and that stays',
    help: 'Leave Undo empty, or let another step do what stays. What only this record has, mails and calls are taken back with it.',
  },
} as const satisfies CodeTable
