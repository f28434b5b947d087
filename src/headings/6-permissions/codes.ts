/** Heading 6: N16xx. */
import type { CodeTable } from '../../document/diagnostic.ts'

export const permissionCodes = {
  N1601: {
    severity: 'error',
    declaredIn: 6,
    message: 'there is no role `{role}`{meant}',
    help: 'The roles are: {known}.',
  },
  N1602: { severity: 'error', message: 'the role `{role}` is declared twice', help: 'Keep one of the two rows.' },
  N1603: {
    severity: 'error',
    message: '`{who}` does not say who has a role',
    help: 'Write `everyone`, `everyone signed in`, either with `except` and roles, `appointed by` and roles, `link of` and an entity, `shared Case by` and the roles that share one, or a condition that reads `me` or `my`: `my.kind = Student`, `my.customer.state = Active`.',
  },
  N1604: {
    severity: 'error',
    message: '{entity} has two rows for {role}',
    help: 'Put what the role may do in one row; join conditions with `or`.',
  },
  N1605: {
    severity: 'warning',
    message: 'the role {role} is not used anywhere',
    help: 'Use it in a screen, a step or a table of permissions, or remove it.',
  },
  N1606: {
    severity: 'warning',
    message: '{role} may {verb} {entity} but may not see it',
    help: 'Let the role see it, or remove the permission: nobody can change what they cannot see.',
  },
  N1607: {
    severity: 'warning',
    message: '{role} may do `{step}` here, but heading 4 does not name {role} in its Who',
    help: 'Add the role to the Who of the step, or remove the step here.',
  },
  N1608: {
    severity: 'error',
    message: '{entity} has two rows for the field `{field}` on the same records',
    help: 'Put the roles in one row, or give each row its own `When`.',
  },
  N1609: {
    severity: 'warning',
    message: 'nobody can ever have the role {role}: {why}',
    help: 'Let it be given by a role that somebody has.',
  },
  N1610: {
    severity: 'error',
    message: '`{grant}` is not possible for Import, which is yes, no, or whole',
    help: 'Write yes, no, or whole (all rows of a file or none). The columns Create and Change decide about each row of the file.',
  },
  N1611: {
    severity: 'error',
    message: 'who is {role} cannot depend on `{constant}`',
    help: 'Write the value itself, or store it in a field of Person.',
  },
  N1612: {
    severity: 'warning',
    message: '{by} may change `{field}` of their own record, which decides who is {role}',
    help: 'Give `{field}` a row in the table of fields whose Change names only those who should decide it.',
  },
  N1613: {
    severity: 'warning',
    message: '{roles} may create {entity} but not fill in `{field}`, which is required',
    help: 'Name the role in the Change column of the field, give the field a default, or remove Create from the role.',
  },
  N1614: {
    severity: 'warning',
    message: '{role} already sees every {entity}, so Emergency adds nothing',
    help: 'Restrict See to what the role needs every day, or remove Emergency.',
  },
  N1615: {
    severity: 'error',
    message: '{entity} is part of {parent}: in an emergency it is read with it',
    help: 'Write Emergency in the table of {parent}.',
  },
  N1616: {
    severity: 'warning',
    message: '{roles} may see `{field}` of {entity}, which reveals {read}, and they may not see that',
    help: 'Let them see it, too; or give `{field}` a row in the table of fields that is as narrow, or let it hold what they may see.',
  },
  N1617: {
    severity: 'error',
    message: '`{steps}`: closed to everybody, on every record',
    help: 'Write under which condition, `{steps} when legal_hold`, or to whom, in a row `never Trainee`. What only the application takes has `none` under Who of heading 4.',
  },
  N1619: {
    severity: 'error',
    message: '{role} cannot leave out {left}, which everybody has',
    help: 'Name behind `except` roles that people are appointed to, or have by a condition.',
  },
  N1620: {
    severity: 'error',
    looksAt: [2, 3, 6],
    message: 'the link of a {entity} leads {role} to no page',
    help: 'Under heading 2, add a screen that shows `one {entity}`, is for {role}, and has a field in braces in its address.',
  },
  N1621: {
    severity: 'error',
    looksAt: [3, 6],
    message: '{role} {given} a {entity} and may see nothing of it',
    help: 'Give {role} a row under {entity} with `yes` or a condition in See. It speaks of that record alone.',
  },
  N1622: {
    severity: 'error',
    looksAt: [3, 4, 6],
    message: '{role} {given} a {linked}, and nothing ties a {entity} to one',
    help: 'The role speaks of that record, the rows of it, the records that name it in a field, and those that it names. Add such a field, or remove the row.',
  },
  N1623: {
    severity: 'error',
    message: '{role} can never have {verb}: whoever has the role {given} one {linked}',
    help: 'Write no, or leave it out. The role leads to one record that is there.',
  },
  N1624: {
    severity: 'warning',
    message: '{role} may create {entity} but does not see one that is new',
    help: 'Let See include it, as with `or created_by = me`: whoever sends it is led to no page and does not find it again.',
  },
  N1625: {
    severity: 'warning',
    message: '{roles} may take `{step}`, so whether `{approval}` is needed reveals {read}, and they may not see that',
    help: 'Let them see it, leave the decision to roles that do, or accept the warning: whoever decides notices what else the step waits for.',
  },
  N1626: {
    severity: 'warning',
    message: '{role} is named for `{field}`, but sees no {entity}',
    help: 'A role has a field on the records that the same role sees: add a row for {role} to the table of {entity}, or name the role by which these people see them.',
  },
  N1627: {
    severity: 'warning',
    message: '{what} tells {roles} of {read}, which they may not see',
    help: 'They learn it from what is refused or shown. Let them see it under heading 6, ask what they may see instead, or have others do it. If it is intended, accept it by name: `- **Accept:** N1627 {name}`.',
  },
  N1628: {
    severity: 'warning',
    older: 'a change could lead anywhere',
    message: '{roles} may change {fields} of {entity}, but only so that their own Change still holds',
    help: 'Where that is meant, write `no` in a column `Change to` of {roles}; else what a change may lead to: `yes`, or a condition. Or let {fields} stay as it is: `read-only after create`, or a row in the table of fields.',
  },
  N1629: {
    severity: 'error',
    message: '{role} may change no {entity}, so no change of theirs leads anywhere',
    help: '`Change to` says what a change may lead to beside what Change holds of: say in Change what {role} may change, or take it out.',
  },
  N1630: {
    severity: 'error',
    message: '{role} and {other} cannot be kept apart: {why}',
    help: 'Roles are kept apart where people are appointed to them: `appointed by Manager` for both. Of `everyone` and of conditions, say whom they leave out: `everyone signed in except Purchaser`.',
  },
  N1631: {
    severity: 'error',
    message: '{who} would hold {role} and {other}, which nobody may hold both',
    help: 'Give one of the two to somebody else.',
  },
  N1632: {
    severity: 'warning',
    message: '{by} may take `{step}` on their own record, and its `{field}` decides who is {role}',
    help: 'Let only those take it who should decide this, or nobody on themselves: `this != me` under When.',
  },
  N1633: {
    severity: 'error',
    message: '`{written}` does not say with whom a record is shared: {why}',
    help: 'Write nothing for single people, or `with Person, Team.members`: `Person`, and fields in which a record names several people.',
  },
  N1634: {
    severity: 'error',
    message: '`{written}` does not say how long a record is shared at the longest',
    help: 'Write a number of days or weeks from 1 to 3,650 days: `for 14 days`.',
  },
  N1635: {
    severity: 'error',
    looksAt: [3, 6],
    message: '{by} share a {entity} with {role}, and may never see one',
    help: 'Nobody shares what they do not see: let {by} see it under {entity}, or name behind `by` those who do.',
  },
  N1636: {
    severity: 'warning',
    message: '{role} may {verb} a {entity} that is shared, and none of those who share it may: {by}',
    help: 'They give more than they have. Let {by} do it too, or take it from {role}. If it is intended, accept it by name: `- **Accept:** N1636 {role}`.',
  },
  N1618: {
    severity: 'error',
    message: 'a role cannot be called `{role}`',
    help: 'In a table of permissions, the row `never` says what nobody may do, whatever their roles. Choose another name.',
  },
} as const satisfies CodeTable
