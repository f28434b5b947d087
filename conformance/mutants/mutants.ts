/**
 * What a document says, each with the edit of the sources that lets the application do otherwise. `npm run mutants` runs `ninefold
 * verify` against each of these builds and tells which it sees (`scripts/mutants.ts`); `faults.ts` has the defences that tests guard.
 */
import { edit } from '../faults.ts'
import { concerningMutants } from './concerning.ts'
import { doorsMutants } from './doors.ts'
import { findingMutants } from './finding.ts'
import { furtherMutants } from './further.ts'
import { keysMutants } from './keys.ts'
import { messagesMutants } from './messages.ts'
import type { Mutant } from './mutant.ts'
import { turnsMutants } from './turns.ts'
import { widerMutants } from './wider.ts'

const policy = (from: string, to: string) => edit('run/access/policy.ts', from, to)
const readAsYes = (verbs: string) => [
  edit(
    'headings/6-permissions/read.ts',
    "if (/^yes$/i.test(written.text)) return { kind: 'yes', cell: written }\n    if (verb",
    `if (/^yes$/i.test(written.text) || ${verbs}) return { kind: 'yes', cell: written }\n    if (verb`,
  ),
]
const dueBy = (days: number) => [
  edit(
    'run/later/timers.ts',
    'if (timer.stands === null) return at.toISOString()',
    `if (timer.stands === null) return new Date(at.getTime() + ${days} * 86_400_000).toISOString()`,
  ),
]

export const mutants: Readonly<Record<string, Mutant>> = {
  ...keysMutants,
  ...turnsMutants,
  ...widerMutants,
  ...furtherMutants,
  ...findingMutants,
  ...doorsMutants,
  ...messagesMutants,
  ...concerningMutants,
  'nobody may create': {
    kind: 'permissions',
    edits: [
      policy(
        "if (verb === 'emergency' && !signedIn) return false",
        "if (verb === 'create' || (verb === 'emergency' && !signedIn)) return false",
      ),
    ],
  },
  'Create asks no condition': {
    kind: 'permissions',
    edits: [policy("grant.kind === 'yes' || whereSql", "grant.kind === 'yes' || verb === 'create' || whereSql")],
  },
  'Change and Delete are read as yes': {
    kind: 'permissions',
    edits: readAsYes("verb === 'change' || verb === 'delete'"),
    on: 'loan-desk',
  },
  'See is read as yes': { kind: 'permissions', edits: readAsYes("verb === 'see'") },
  'everybody has every role': {
    kind: 'permissions',
    edits: [
      edit(
        'run/people/people.ts',
        '[...(appointments ?? []), ...(by_condition ?? [])])\n\n/**',
        '[...(appointments ?? []), ...(by_condition ?? []), ...app.roles.keys()])\n\n/**',
      ),
    ],
  },
  'read-only after create is forgotten': {
    kind: 'fields',
    edits: [
      edit(
        'run/access/settable.ts',
        "(field.readOnly.after === 'always' || verb === 'change')",
        "field.readOnly.after === 'always'",
      ),
    ],
    on: 'loan-desk',
  },
  'lines of fields are not read': {
    kind: 'fields',
    edits: [
      edit('headings/6-permissions/lines.ts', '  access?.fields.filter(line => line.field === field) ?? []', '  []'),
    ],
    on: 'loan-desk',
  },
  'a change is not stored': {
    kind: 'fields',
    edits: [
      edit(
        'run/write/persist.ts',
        'const changed = fields.filter(key => ',
        "const changed = fields.filter(key => key === 'state' && ",
      ),
    ],
  },
  'what is deleted stays': {
    kind: 'fields',
    edits: [
      edit(
        'run/write/remove.ts',
        'const deleting = () => deleteRecord(tx, entity, id, locked.version)',
        'const deleting = async () => locked.version',
      ),
    ],
  },
  'who is left out of a step may take it': {
    kind: 'steps',
    edits: [
      edit(
        'headings/4-states/who.ts',
        'if (except === null) return null',
        'if (except === null) return null\n  ;(except as unknown[]).length = 0',
      ),
    ],
  },
  'what is locked can be changed': {
    kind: 'steps',
    edits: [
      edit(
        'headings/4-states/read.ts',
        "const locks = readLocks(context, draft.entity, row.cell('Locks'))",
        'const locks = null',
      ),
    ],
  },
  'a step leads to the first state': {
    kind: 'steps',
    edits: [
      edit(
        'run/write/step.ts',
        'record.state = transition.to as string',
        "record.state = (step === 'decline' ? scope.app.workflows.get(entity)!.states[0]!.name : transition.to) as string",
      ),
    ],
  },
  'a step sets nothing': {
    kind: 'steps',
    edits: [
      edit(
        'run/write/acts.ts',
        "if (act.kind !== 'set' || act.of !== null) continue",
        "if (act.kind !== 'set' || record.id !== '') continue",
      ),
    ],
  },
  'nothing follows from a step': {
    kind: 'steps',
    edits: [edit('run/write/acts.ts', 'const rest = acts.filter(act => !isOwn(act))', 'const rest: Act[] = []')],
  },
  'rules are not asked on change': {
    kind: 'rules',
    edits: [
      edit(
        'run/write/check.ts',
        'if (writesWhole({ on })) return rule.on === null',
        "if (writesWhole({ on })) return rule.on === null && on !== 'change'",
      ),
    ],
    on: 'loan-desk',
  },
  'rules of rows are not asked': {
    kind: 'rules',
    edits: [edit('run/write/check.ts', 'checkRules(app, request, child, own, prefix, now)', '')],
    on: 'loan-desk',
  },
  'rules that name a step are not asked': {
    kind: 'rules',
    edits: [edit('run/write/check.ts', 'if (rule.on?.includes(on) === true) return true', '')],
  },
  'max is not kept': {
    kind: 'bounds',
    edits: [
      edit(
        'run/write/validate.ts',
        'if (max !== null && compared(measured, max, type) > 0)',
        'if (max !== null && compared(measured, max, type) > 1)',
      ),
    ],
    on: 'absence-desk',
  },
  'min is not kept': {
    kind: 'bounds',
    edits: [
      edit(
        'run/write/validate.ts',
        'if (min !== null && compared(measured, min, type) < 0)',
        'if (min !== null && compared(measured, min, type) < -1)',
      ),
      edit('store/schema.ts', "bound('min', field.min)", ''),
    ],
  },
  'min itself is refused': {
    kind: 'bounds',
    edits: [
      edit(
        'run/write/validate.ts',
        'if (min !== null && compared(measured, min, type) < 0)',
        'if (min !== null && compared(measured, min, type) <= 0)',
      ),
    ],
  },
  'pattern is not kept': {
    kind: 'bounds',
    edits: [
      edit('run/write/validate.ts', 'if (rules.pattern !== null && ', "if (rules.pattern !== null && value === '' && "),
      edit('store/schema.ts', 'if (field.pattern !== null) {', "if (field.pattern !== null && field.key === '') {"),
    ],
    on: 'equipment-desk',
  },
  'a list may have any number of rows': {
    kind: 'bounds',
    edits: [
      edit(
        'run/write/validate.ts',
        'if (max !== null && compared(found, max, integer) > 0)',
        'if (max !== null && compared(found, max, integer) > 1)',
      ),
    ],
    on: 'loan-desk',
  },
  'Where of a list is not asked': {
    kind: 'lists',
    edits: [edit('run/read/shown.ts', "...(where === null ? [] : [whereSql(where, 't')]),\n    ...(view", '...(view')],
    on: 'equipment-desk',
  },
  'views of a list show everything': {
    kind: 'lists',
    edits: [edit('run/read/shown.ts', "...(view === undefined ? [] : [whereSql(view, 't')]),", '')],
  },
  'a list is sorted the other way round': {
    kind: 'lists',
    edits: [
      edit(
        'kinds/screens/list/screen.ts',
        '      field,\n      descending,\n',
        '      field,\n      descending: !descending,\n',
      ),
    ],
  },
  'the last column of a list is missing': {
    kind: 'lists',
    edits: [
      edit(
        'kinds/screens/list/screen.ts',
        '?? columnsOf(own, entity, app)',
        '?? columnsOf(own, entity, app).slice(0, -1)',
      ),
    ],
  },

  'a search finds nothing': {
    kind: 'searches',
    edits: [
      edit(
        'run/read/filter.ts',
        'condition: () => condition(slots, similar ? holdsAlike : holdsText),',
        'condition: () => false,',
      ),
    ],
  },
  'a search finds everything': {
    kind: 'searches',
    edits: [
      edit(
        'run/read/filter.ts',
        'condition: () => condition(slots, similar ? holdsAlike : holdsText),',
        'condition: () => true,',
      ),
    ],
  },
  'filters are not asked': {
    kind: 'searches',
    edits: [edit('run/read/filter.ts', 'condition: () => allOf([together(always), ', 'condition: () => allOf([true, ')],
  },
  'whoever sees takes out': {
    kind: 'files',
    edits: [
      edit('run/read/read.ts', "if (out && policy.rows(entity, 'export', 't') === false) return null", ''),
      edit('run/read/shown.ts', "out ? policy.rows(entity, 'export', 't') : true,", 'true,'),
    ],
  },
  'a file leaves out its last column': {
    kind: 'files',
    edits: [
      edit(
        'web/routes/export.ts',
        'const columns = need.columns.filter(key => found.columns.includes(key))',
        'const columns = need.columns.filter(key => found.columns.includes(key)).slice(0, -1)',
      ),
    ],
  },
  'whoever creates brings in': {
    kind: 'files',
    edits: [
      policy(
        'row => !isUnspecified(row.import) && row.import.kind === ',
        "row => !isUnspecified(row.create) && row.create.kind !== 'no' || !isUnspecified(row.import) && row.import.kind === ",
      ),
    ],
  },
  'a mail to a role goes to everybody': {
    kind: 'mails and calls',
    edits: [edit('run/later/outbox.ts', "one.role === null ? true : holdsRole(app, one.role, 'p'),", 'true,')],
  },
  'mails have no subject': {
    kind: 'mails and calls',
    edits: [edit('run/later/outbox.ts', "subject: text(mail.subject).replace(/\\s+/g, ' ')", "subject: ''")],
  },
  'mails have no text': {
    kind: 'mails and calls',
    edits: [edit('run/later/outbox.ts', 'text: text(mail.body) }', "text: '' }")],
  },
  'mails are sent twice': {
    kind: 'mails and calls',
    edits: [
      edit(
        'run/write/acts.ts',
        "if (act.kind === 'send mail') await",
        "if (act.kind === 'send mail') await enqueueMail(tx, runtime, request, related, about, act)\n    if (act.kind === 'send mail') await",
      ),
    ],
  },
  'a call leaves out its first value': {
    kind: 'mails and calls',
    edits: [edit('run/later/outbox.ts', 'of call.send) {', 'of call.send.slice(1)) {')],
    on: 'equipment-desk',
  },
  'calls are made twice': {
    kind: 'mails and calls',
    edits: [
      edit(
        'run/write/acts.ts',
        'called.add(act.call)\n',
        'called.add(act.call)\n      await enqueueCall(tx, runtime, request, related, about, act)\n',
      ),
    ],
    on: 'equipment-desk',
  },
  'timers are a day late': { kind: 'timers', edits: dueBy(1) },
  'timers are a day early': { kind: 'timers', edits: dueBy(-1) },
  'everybody changes constants': {
    kind: 'constants',
    edits: [
      edit('run/limits.ts', 'return change.roles.some(role => actor.roles.includes(role))', 'return actor.id !== null'),
    ],
  },
  'constants may have any value': {
    kind: 'constants',
    edits: [
      edit('run/limits.ts', 'if (inRange(constant, value)) return null', 'return null'),
      edit('run/limits.ts', ' && inRange(constant, wireOf(constant, value)))', ')'),
    ],
  },
  'a changed constant does not hold': {
    kind: 'constants',
    edits: [edit('run/limits.ts', '(fits(constant.type, wireOf(constant, value)) && ', "(fits(constant.type, '') && ")],
  },
  'errors say nothing': {
    kind: 'errors',
    edits: [edit('run/problems/raise.ts', 'message: render(template.message, reading),', "message: '',")],
  },
  'errors do not say what to do': {
    kind: 'errors',
    edits: [
      edit(
        'run/problems/raise.ts',
        'whatToDo: template.whatToDo === null ? null : render(template.whatToDo, reading),',
        'whatToDo: null,',
      ),
    ],
  },
  'rules point to no field': {
    kind: 'errors',
    edits: [
      edit(
        'run/write/check.ts',
        'field: rule.field === null ? (prefix',
        "field: rule.field === null || rule.field !== '' ? (prefix",
      ),
    ],
  },
  'changes are not in the history': {
    kind: 'history',
    edits: [
      edit(
        'run/write/write.ts',
        "remember(tx, app, request, {\n      entity,\n      record: id,\n      version: next,\n      kind: 'change',",
        "const untold = (_: unknown) => {}\n    untold({\n      entity,\n      record: id,\n      version: next,\n      kind: 'change',",
      ),
    ],
  },
  'steps are not in the history': {
    kind: 'history',
    edits: [
      edit(
        'run/write/step.ts',
        '  remember(tx, app, request, {\n',
        '  const untold = (_: unknown) => {}\n  untold({\n',
      ),
    ],
  },
  'the history does not say what was changed': {
    kind: 'history',
    edits: [edit('run/read/history.ts', "'h.changes': JSON.stringify(entry.changes),", "'h.changes': '{}',")],
  },
  'forms need no token': {
    kind: 'doors',
    edits: [edit('web/request/receive-form.ts', 'isOwnForm(context, form.value)', 'true')],
  },
  'a stale form overwrites': {
    kind: 'doors',
    edits: [
      edit(
        'web/write.ts',
        'text !== null && /^\\d{1,15}$/.test(text) ? Number(text) : null',
        "text !== null && text === '' ? Number(text) : null",
      ),
    ],
  },
  'a stale request overwrites': {
    kind: 'doors',
    edits: [
      edit(
        'web/api/records.ts',
        'run => change(run, confirmedBy(context), entity.key, id, seen.version, input)',
        'run => change(run, confirmedBy(context), entity.key, id, null, input)',
      ),
    ],
  },
  'a stale deletion deletes': {
    kind: 'doors',
    edits: [
      edit(
        'run/write/remove.ts',
        'if (version !== null && version !== locked.seenVersion) return await stale(scope, entity, locked)\n    return await remove(',
        'return await remove(',
      ),
    ],
  },
  'a stale step is taken': {
    kind: 'doors',
    edits: [
      edit(
        'run/write/step.ts',
        'if (version !== null && version !== locked.seenVersion) return await stale(scope, entity, locked)',
        '',
      ),
    ],
  },
  'a key makes two records': {
    kind: 'doors',
    edits: [
      edit(
        'web/idempotency.ts',
        'export const idempotency = (app: App, key: IdempotencyKey | null, now: Date): Companion | null =>\n  key === null',
        'export const idempotency = (app: App, key: IdempotencyKey | null, now: Date): Companion | null =>\n  key !== null || key === null',
      ),
    ],
  },
  'comments are read by everybody': {
    kind: 'doors',
    edits: [
      edit(
        'run/people/comments.ts',
        "::uuid`, policy.rows(entity, 'see', 't')]))}\n      order by c.at",
        '::uuid`]))}\n      order by c.at',
      ),
    ],
  },
  'at most is less than, in SQL': {
    kind: 'expressions',
    edits: [
      edit(
        'expression/to-sql.ts',
        "raw(node.sign === '!=' ? '<>' : node.sign)",
        "raw(node.sign === '!=' ? '<>' : node.sign === '<=' ? '<' : node.sign)",
      ),
    ],
    on: 'loan-desk',
  },
  'at most is less than, in JavaScript': {
    kind: 'expressions',
    edits: [edit('expression/evaluate.ts', 'return compared <= 0', 'return compared < 0')],
  },
  'more than is at least, everywhere': {
    kind: 'expressions',
    edits: [
      edit('expression/evaluate.ts', 'return compared > 0', 'return compared >= 0'),
      edit(
        'expression/to-sql.ts',
        "raw(node.sign === '!=' ? '<>' : node.sign)",
        "raw(node.sign === '!=' ? '<>' : node.sign === '>' ? '>=' : node.sign)",
      ),
    ],
    on: 'loan-desk',
  },
}
