/** Heading 6: N16xx. */
import type { CodeTable } from '../../document/diagnostic.ts'

export const permissionCodes = {
  N1601: { severity: 'error', message: 'there is no role `{role}`{meant}', help: 'The roles are: {known}.' },
  N1602: { severity: 'error', message: 'the role `{role}` stands here twice', help: 'Keep one of the two rows.' },
  N1603: {
    severity: 'error',
    message: '`{who}` does not say who has a role',
    help: 'Write `everyone`, `everyone signed in`, either with `except` and roles, `appointed by` and roles, or a condition that reads `me` or `my`: `my.kind = Student`, `my.customer.state = Active`.',
  },
  N1604: {
    severity: 'error',
    message: '{entity} has two rows for {role}',
    help: 'Put what the role may do into one row; `or` joins conditions.',
  },
  N1605: {
    severity: 'warning',
    message: 'the role {role} is used nowhere',
    help: 'Use it in a screen, a step or a table of permissions, or take it out.',
  },
  N1606: {
    severity: 'warning',
    message: '{role} may {verb} {entity} but may not see it',
    help: 'Let the role see it, or take the permission out: what cannot be seen cannot be changed.',
  },
  N1607: {
    severity: 'warning',
    message: '{role} may do `{step}` here, but heading 4 does not name {role} in its Who',
    help: 'Add the role to the Who of the step, or take the step out here.',
  },
  N1608: {
    severity: 'error',
    message: '{entity} has two rows for the field `{field}` on the same records',
    help: 'Put the roles into one row, or give each row a `When` of its own.',
  },
  N1609: {
    severity: 'warning',
    message: 'nobody can ever have the role {role}: {why}',
    help: 'Let it be appointed by a role that somebody has.',
  },
  N1610: {
    severity: 'error',
    message: '`{grant}` is no answer to who may import: it is yes, no, or whole',
    help: 'Write yes, no, or whole (all rows of a file or none). What each row of a file may do, the columns Create and Change decide.',
  },
  N1611: {
    severity: 'error',
    message: 'who is {role} cannot depend on `{constant}`',
    help: 'Write the value itself, or keep it in a field of Person.',
  },
  N1612: {
    severity: 'warning',
    message: '{by} may change `{field}` of their own record, which decides who is {role}',
    help: 'Give `{field}` a row in the table of fields whose Change names only those who are to decide it.',
  },
  N1613: {
    severity: 'warning',
    message: '{roles} may create {entity}, but not fill `{field}`, which is required',
    help: 'Name the role in the Change column of the field, give the field a default, or take Create from the role.',
  },
  N1614: {
    severity: 'warning',
    message: '{role} sees every {entity} anyway: Emergency opens nothing more',
    help: 'Narrow See to the records of every day, or take Emergency out.',
  },
  N1615: {
    severity: 'error',
    message: '{entity} is part of {parent}: in an emergency it is read with it',
    help: 'Write Emergency in the table of {parent}.',
  },
  N1616: {
    severity: 'warning',
    message: '{roles} may see `{field}` of {entity}, which shows {read}, and that they may not see',
    help: 'Give `{field}` a row in the table of fields that is as narrow, or compute it from what they may see.',
  },
  N1617: {
    severity: 'error',
    message: '`{steps}`: the row `never` closes all steps of a record at once',
    help: 'Write the condition under which nobody takes a step, or yes. What closes one step alone stands in its When under heading 4.',
  },
  N1619: {
    severity: 'error',
    message: '{role} cannot leave out {left}, which everybody has',
    help: 'Name behind `except` roles that people are appointed to, or have by a condition.',
  },
  N1618: {
    severity: 'error',
    message: 'a role cannot be called `{role}`',
    help: 'In a table of permissions, the row `never` says what nobody may, whatever their roles. Choose another name.',
  },
} as const satisfies CodeTable
