/** Heading 4: N14xx. */
import type { CodeTable } from '../../document/diagnostic.ts'

export const stateCodes = {
  N1401: { severity: 'error', message: '{entity} has no state `{state}`{meant}', help: 'Its states are: {known}.' },
  N1402: { severity: 'error', message: '{entity} has the state `{state}` twice', help: 'Keep one of the two rows.' },
  N1403: { severity: 'error', message: '{entity} has no step `{step}`{meant}', help: 'Its steps are: {known}.' },
  N1404: {
    severity: 'warning',
    message: 'no step or timer leads from `{start}` to `{state}`',
    help: 'Add a step or timer that leads to it, or take the state out.',
  },
  N1405: {
    severity: 'warning',
    message: '`{state}` can be entered but never left',
    help: 'Add a step that leaves it, or write `end` in the Kind column.',
  },
  N1406: {
    severity: 'error',
    message: 'two states are marked `start`',
    help: 'Records begin in one state; take `start` out of the other row.',
  },
  N1407: {
    severity: 'warning',
    message: 'no state of {entity} is marked `start`, so records begin in `{state}`',
    help: 'Write `start` in the Kind column of the state that records begin in.',
  },
  N1408: {
    severity: 'error',
    message: '`{name}` leaves `{state}`, which is marked `end`',
    help: 'Take `end` out of the Kind column, or take the state out of this row.',
  },
  N1409: { severity: 'warning', message: 'nobody can take `{step}`: {why}', help: '{help}' },
  N1410: {
    severity: 'error',
    message: '`{kind}` is not a kind of state{meant}',
    help: 'Write `start`, `end`, `good end`, `bad end`, or nothing.',
  },
  N1411: {
    severity: 'error',
    message: '`{act}` is not something that can happen{meant}',
    help: 'Write one of: {known}; parted by semicolons.',
  },
  N1412: {
    severity: 'error',
    message: 'a step changes the state by its To column, not by `go to`',
    help: 'Write the state into the To column.',
  },
  N1413: {
    severity: 'error',
    message: '`{field}` cannot be set: {why}',
    help: 'Set a field that holds a value of its own; another record changes its state by `do <step> on <path>`.',
  },
  N1414: {
    severity: 'error',
    message: 'a timer needs a date with a time, or a moment; this is {found}',
    help: 'Write it as in `due_back - 2 days` at 09:00, or `3 days after entering`, `4 working hours after reported_at`.',
  },
  N1415: {
    severity: 'error',
    message: '`{time}` is not a time of day',
    help: 'Write hours and minutes, 00:00 to 23:59, or a constant: `at limits.opening`.',
  },
  N1416: {
    severity: 'warning',
    message: 'this branch of `{step}` is never reached: the rows above it always apply in `{state}` where it would',
    help: 'Write a condition into the When column of the row above, or put this row first.',
  },
  N1417: {
    severity: 'error',
    message: '{entity} has steps but no states',
    help: 'Add a table of states: `| State | Kind |`.',
  },
  N1418: {
    severity: 'error',
    message: '{entity} has the timer `{name}` twice',
    help: 'Give one of them another name.',
  },
  N1419: {
    severity: 'error',
    message: '`{who}` is not understood here',
    help: 'Write roles or fields that name people, parted by commas, or `everyone signed in`; `except` and a field leave somebody out.',
  },
  N1420: { severity: 'error', message: 'the states of {entity} stand in two places', help: 'Put them into one table.' },
  N1421: {
    severity: 'error',
    message: '`{step}` cannot be the name of a step: {why}',
    help: 'Name it by what people do, in small letters: `hand out`.',
  },
  N1422: {
    severity: 'warning',
    message: '{role} stands in the Who of `{step}`, but heading 6 does not let {role} do it',
    help: 'Add the step to the Do column of {role} under heading 6, or take {role} out here.',
  },
  N1423: {
    severity: 'error',
    message: '`{word}` is not understood behind a field that a step asks for{meant}',
    help: 'Write fields parted by commas, `required` behind those that must be filled.',
  },
  N1424: { severity: 'error', message: '`{step}` asks for `{field}` twice', help: 'Keep one of the two.' },
  N1425: {
    severity: 'error',
    message: '`{step}` cannot ask for `{field}`: {why}',
    help: 'Ask for a field that people can fill in.',
  },
  N1426: {
    severity: 'error',
    message: '`{locks}` is not understood before `except`',
    help: 'Write `all`, `all except remarks`, or fields parted by commas.',
  },
  N1427: {
    severity: 'error',
    message: '`{found}` leads to no record',
    help: 'Write a field that names a record (`fine`), a list (`lines`), `(Loan where item = this.item)`, or `first(Loan where item = this.item order by created_at)`.',
  },
  N1428: {
    severity: 'error',
    message: 'this cannot happen: {what}',
    help: 'Write it as in `create Fine with loan = this, amount = 5.00` or `for each (Loan where item = this.item): set late = yes`.',
  },
  N1429: {
    severity: 'error',
    message: '`{occasion}` is nothing that happens to {entity}{meant}',
    help: 'Write `created`, `changed`, `deleted`, or a step: {known}.',
  },
  N1430: {
    severity: 'error',
    message: 'this never ends: {way}',
    help: 'Write a condition into the When column of one of the rows.',
  },
  N1431: {
    severity: 'warning',
    message: 'effects cause each other in a circle: {way}',
    help: 'See that a condition ends it. More than a thousand records by one write are refused as a whole.',
  },
  N1432: {
    severity: 'error',
    message: '`create {entity}` leaves `{field}` empty, which is required',
    help: 'Write `{field} = …` behind `with`, or give the field a default.',
  },
  N1433: {
    severity: 'error',
    message: '`{rhythm}` is not how often a timer fires: {why}',
    help: 'Write `every working day at 09:00`, `every weekday at 06:00`, `every Monday, Thursday at 08:00`, `every day at 23:30`, `every 15 minutes` or `every 2 hours`.',
  },
  N1434: {
    severity: 'error',
    message: 'timer `{name}` stands beside no states, so it does not know when it runs',
    help: 'Write which records it is about: `every weekday at 06:00 for each Loan where due_back < today`; or put it under an entity that has states.',
  },
  N1435: {
    severity: 'error',
    message: 'a timer cannot go through {found}: {why}',
    help: 'Write an entity and what its records must say: `for each Loan where due_back < today`.',
  },
  N1440: {
    severity: 'error',
    message: '`{state}` is still a state, so no records come from it',
    help: 'Take the state out of the table, or take its name out of `(was …)`.',
  },
  N1441: {
    severity: 'warning',
    message: 'no row of `{step}` applies in `{state}` where {where}',
    help: 'The step stays closed there. If it is meant to be, accept it: `- **Accept:** N1441 {step}` under heading 1. Else write a row for it.',
  },
  N1442: {
    severity: 'warning',
    message: 'nobody can take `{step}` in {states}: {why}',
    help: '{help}',
  },
  N1443: {
    severity: 'warning',
    message: '`{step}` asks {role} for `{field}`, which {role} may not see',
    help: 'Let {role} see it under heading 6, take it out of Asks, or have somebody else take the step.',
  },
  N1444: {
    severity: 'warning',
    message: '`{timer}` never fires: `{other}` has brought the record to `{state}` before',
    help: 'Let it fire earlier, or name other states in While.',
  },
  N1445: {
    severity: 'warning',
    message: 'both this row of `{step}` and one above it apply in `{state}` where {where}: the one above is taken',
    help: 'Part the conditions (`amount <= 1000` and `amount > 1000`), or make the later row the more general one.',
  },
  N1446: {
    severity: 'warning',
    message:
      '`{timer}` is due {lead} before `{field}`, which may be {notice} ahead only: then it fires as soon as the record is there',
    help: 'Ask for as much notice as the timer needs, or let it fire later.',
  },
  N1447: {
    severity: 'error',
    message: 'which {entity} comes first is not said',
    help: 'Write the order behind it: `order by created_at`, `order by priority down, created_at`.',
  },
  N1450: {
    severity: 'error',
    message: '`{needs}` is not how many people an approval needs',
    help: 'Write `1 of`, `2 of` (up to `99 of`), or `all of`.',
  },
  N1451: {
    severity: 'error',
    message: '{entity} has the approval `{name}` twice',
    help: 'Give one of them another name: decisions are kept under it.',
  },
  N1452: {
    severity: 'error',
    message: '`{found}` names no people, but {what}',
    help: 'Write roles, a field that names a person (`cost_centre.keeper`), or people of a list (`departments.reviewer`).',
  },
  N1453: {
    severity: 'error',
    message: '`{step}` asks for fields, but several people decide about it',
    help: 'Take Asks out of the step: everybody who decides may give a reason anyway.',
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
    help: 'A person counts once, so both together need more people there. Part the bands (`net <= 1000` and `net > 1000`), or take one row out.',
  },
  N1457: {
    severity: 'error',
    message: '`run` has nothing to do: a function gives a value, and changes nothing',
    help: 'Write where its value goes: `set <field> = {function}`.',
  },
  N1458: {
    severity: 'error',
    message:
      'timer {name} goes by `{read}`, which is something else whenever it is asked: its time could not be kept true',
    help: 'Keep it in a field (`default now`, or `set asked_at = now` in the Then of a step) and go by that; or write `3 days after entering`, or `every day at 09:00` with the rest under When.',
  },
  N1459: {
    severity: 'warning',
    message: 'no record ever gets its `{field}`: none of these steps can be taken',
    help: 'Name a step that leads away from a state that records come to, or let a transition lead there.',
  },
} as const satisfies CodeTable
