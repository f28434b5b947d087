/** Mutants that were invented when verify saw all others: pages, comparisons, rows, what steps ask for, words of mails, charts, and what leaves. */
import { edit } from '../faults.ts'
import type { Mutant } from './mutant.ts'

export const furtherMutants: Readonly<Record<string, Mutant>> = {
  'the next page begins where this one did': {
    kind: 'lists',
    edits: [
      edit(
        'run/read/read.ts',
        'next: (backwards ? true : more) ? placeOf(lines.at(-1)) : null',
        'next: (backwards ? true : more) ? placeOf(lines[0]) : null',
      ),
    ],
  },
  'lists are sorted by their first key alone': {
    kind: 'lists',
    edits: [edit('run/read/order.ts', 'const maximumKeys = 4', 'const maximumKeys = 1')],
    on: 'keys',
  },
  'lists count one more': {
    kind: 'lists',
    edits: [
      edit(
        'run/read/read.ts',
        'const n = Number(answer!.n ?? 0)\n  const way',
        'const n = 1 + Number(answer!.n ?? 0)\n  const way',
      ),
    ],
  },
  'a search finds only beginnings': {
    kind: 'searches',
    edits: [
      edit(
        'run/read/filter.ts',
        "sql`ninefold.fold(${text}) like '%' || ninefold.fold(${looked}::text) || '%'`",
        "sql`ninefold.fold(${text}) like ninefold.fold(${looked}::text) || '%'`",
      ),
    ],
  },
  'a search looks into every text': {
    kind: 'searches',
    edits: [
      edit(
        'run/read/filter.ts',
        'searchedFields(app.entities.get(entity)!), holds)\n    const others',
        "app.entities.get(entity)!.fields.filter(({ type }) => type.kind === 'text'), holds)\n    const others",
      ),
    ],
    on: 'keys',
  },
  'at least is more than, in filters': {
    kind: 'searches',
    edits: [edit('run/read/filter.ts', 'return sql`${field} >= ${value}`', 'return sql`${field} > ${value}`')],
  },
  'Change of a field is not asked': {
    kind: 'fields',
    edits: [
      edit(
        'run/access/policy.ts',
        'if (change === null) return when\n',
        'if (change === null || !isUnspecified(change)) return when\n',
      ),
    ],
    on: 'loan-desk',
  },
  'rows that were taken out stay': {
    kind: 'fields',
    edits: [
      edit('run/write/persist.ts', 'if (gone.length > 0) await tx.write(', 'if (gone.length > 1000) await tx.write('),
    ],
    on: 'purchasing',
  },
  'changes of rows are lost': {
    kind: 'fields',
    edits: [edit('run/write/persist.ts', 'if (isMoved || isOther || coming', 'if (isMoved || coming')],
    on: 'loan-desk',
  },
  'locked records can be deleted': {
    kind: 'permissions',
    edits: [
      edit(
        'run/write/remove.ts',
        'const lock = locks.find(({ keeps }) => keeps)',
        'const lock = locks.find(({ keeps }) => keeps && !isByPeople)',
      ),
    ],
    on: 'keys',
  },
  'people approve what is theirs': {
    kind: 'permissions',
    edits: [
      edit(
        'run/approvals/approvals.ts',
        '...approval.except.map(person => isNot(person, alias, me)),\n        ]),\n        stands',
        ']),\n        stands',
      ),
    ],
    on: 'keys',
  },
  'deputies may not decide': {
    kind: 'permissions',
    edits: [
      edit(
        'run/access/step-policy.ts',
        'anyOf([own, ...(stands === null ? [] : [sql`${stands} is not null`])])',
        'anyOf([own])',
      ),
    ],
    on: 'purchasing',
  },
  'one approval is enough': {
    kind: 'steps',
    edits: [
      edit(
        'run/approvals/approvals.ts',
        'return conditionSql(allOf(all.map(approval => isSettled(app, entity, transition, approval, alias))))',
        'return conditionSql(anyOf(all.map(approval => isSettled(app, entity, transition, approval, alias))))',
      ),
    ],
    on: 'purchasing',
  },
  'what is left out of a lock is locked': {
    kind: 'steps',
    edits: [edit('run/access/locks.ts', 'locks: key => !except.includes(key),', 'locks: () => true,')],
    on: 'absence-desk',
  },
  'what a step asks for is lost': {
    kind: 'steps',
    edits: [edit('run/write/asks.ts', 'draft[key] = held.value\n', '')],
  },
  'a step takes what it does not ask for': {
    kind: 'steps',
    edits: [
      edit(
        'run/write/asks.ts',
        "report(raise(app, 'NF-NOT-ASKED', {",
        "if (key === '') report(raise(app, 'NF-NOT-ASKED', {",
      ),
    ],
  },
  'the history of a step does not say where it led': {
    kind: 'history',
    edits: [edit('run/write/step.ts', 'toState: record.state as string,', 'toState: old.state as string,')],
  },
  'whoever causes a mail gets it, too': {
    kind: 'mails and calls',
    edits: [
      edit(
        'run/later/outbox.ts',
        "people: named('person').filter(isId),",
        "people: [...named('person').filter(isId), ...(request.actor.id === null ? [] : [request.actor.id])],",
      ),
    ],
  },
  'mails say values as they are stored': {
    kind: 'mails and calls',
    edits: [
      edit(
        'run/problems/raise.ts',
        'return shownValue(value, type, reading.locale, reading.zone, format)',
        'return String(value)',
      ),
    ],
  },
  'calls go to another address': {
    kind: 'mails and calls',
    edits: [
      edit(
        'run/later/outbox.ts',
        "if (part.kind === 'text') return part.text\n        const { root }",
        "if (part.kind === 'text') return `${part.text}x`\n        const { root }",
      ),
    ],
    on: 'keys',
  },
  'calls have another method': {
    kind: 'mails and calls',
    edits: [edit('run/later/deliver.ts', 'method: call.request.method,', "method: 'PUT',")],
    on: 'keys',
  },
  'answers of calls do nothing': {
    kind: 'mails and calls',
    edits: [
      edit('run/later/answered.ts', 'for (const act of answer.then) {', 'for (const act of answer.then.slice(0, 0)) {'),
    ],
    on: 'loan-desk',
  },
  'a call is not tried again': {
    kind: 'mails and calls',
    edits: [edit('run/later/answered.ts', 'if (next !== null) return next', 'if (next === undefined) return next')],
    on: 'loan-desk',
  },
  'timers are an hour late': {
    kind: 'timers',
    edits: [
      edit(
        'run/later/timers.ts',
        'if (timer.stands === null) return at.toISOString()',
        'if (timer.stands === null) return new Date(at.getTime() + 3_600_000).toISOString()',
      ),
    ],
  },
  'timers fire again': {
    kind: 'timers',
    edits: [
      edit(
        'run/later/fire.ts',
        'next: next?.toISOString() ?? null, last,',
        'next: next?.toISOString() ?? new Date(request.now.getTime() + 86_400_000).toISOString(), last,',
      ),
    ],
  },
  'the ends of a range are outside': {
    kind: 'constants',
    edits: [
      edit(
        'run/limits.ts',
        'order(at!, min!) >= 0 && order(at!, max!) <= 0',
        'order(at!, min!) > 0 && order(at!, max!) < 0',
      ),
    ],
  },
  'what may be chosen is asked of new records alone': {
    kind: 'rules',
    edits: [
      edit(
        'run/write/conflicts.ts',
        '  const ids = chosenAnew(one, field)\n  if (ids.length === 0) return []',
        '  const ids = chosenAnew(one, field)\n  if (ids.length === 0 || one.old !== null) return []',
      ),
    ],
    on: 'keys',
  },
  'all errors have one status': {
    kind: 'errors',
    edits: [edit('run/problems/raise.ts', 'status: entry.status,\n    ...place', 'status: 422,\n    ...place')],
    on: 'equipment-desk',
  },
  'sums are averages': {
    kind: 'figures',
    edits: [
      edit(
        'run/read/figures.ts',
        'const sum = sql`sum(${column(1)}) ${counted}`',
        'const sum = sql`avg(${column(1)}) ${counted}`',
      ),
    ],
  },
  'figures are by year': {
    kind: 'figures',
    edits: [edit('run/read/group.ts', "date_trunc(${raw(`'${unit}'`)}, ${local})", "date_trunc('year', ${local})")],
  },
  'reports leave out their first group': {
    kind: 'figures',
    edits: [
      edit(
        'kinds/screens/report/build.ts',
        'rows: data.rows.map((row, index) => {',
        'rows: data.rows.slice(1).map((row, index) => {',
      ),
    ],
    on: 'keys',
  },
  'columns of a pivot stand below another name': {
    kind: 'figures',
    edits: [
      edit(
        'kinds/screens/pivot/build.ts',
        'across === undefined ? null : grid.columns.map(key =>',
        'across === undefined ? null : [...grid.columns.slice(1, -1), grid.columns[0]!, null].map(key =>',
      ),
    ],
    on: 'keys',
  },
  'rows of a pivot stand beside another name': {
    kind: 'figures',
    edits: [edit('kinds/screens/pivot/build.ts', 'label: label(keys),', 'label: label(rows.at(-1 - at)!),')],
    on: 'keys',
  },
  'series of a chart stand below another name': {
    kind: 'figures',
    edits: [
      edit(
        'web/screens/chart.ts',
        'names: [...named.map(key => keyText(site, across, key)),',
        'names: [...named.toReversed().map(key => keyText(site, across, key)),',
      ),
    ],
  },
  'bars stand beside another name': {
    kind: 'figures',
    edits: [
      edit(
        'web/screens/chart.ts',
        'const label = keyText(site, grouping, key)',
        'const label = keyText(site, grouping, ordered.at(-1 - index)!.keys[0]!)',
      ),
    ],
  },
  'conditions of effects are not asked': {
    kind: 'effects',
    edits: [
      edit(
        'run/write/effects.ts',
        'if (when === null || (await valued(scope, when, asked)) === true) found.push(effect)',
        'if (when === null || (await valued(scope, when, asked)) !== undefined) found.push(effect)',
      ),
    ],
    on: 'equipment-desk',
  },
  'a calendar shows nothing': {
    kind: 'screens',
    edits: [
      edit(
        'run/read/during.ts',
        'if (type === undefined || seen === false || !fits(type, start) || !fits(type, end)) return never',
        'if (type !== undefined) return never',
      ),
    ],
    on: 'absence-desk',
  },
  'a calendar leaves out what began before': {
    kind: 'screens',
    edits: [
      edit(
        'run/read/during.ts',
        'return allOf([seen, before, sql`(${begins} or ${conditionSql(allOf([seenTo, ends]))})`])',
        'return allOf([seen, begins, before])',
      ),
    ],
    on: 'absence-desk',
  },
  'an import makes anew what it finds': {
    kind: 'files',
    edits: [
      edit(
        'run/many/import.ts',
        '  if (there !== null) return changeRow',
        '  if (there !== null && entity === null) return changeRow',
      ),
    ],
    on: 'keys',
  },
  'forms for everyone take every field': {
    kind: 'doors',
    edits: [
      edit(
        'web/write.ts',
        'const within = ([key]: readonly [string, unknown]) => only.has(key)',
        'const within = ([key]: readonly [string, unknown]) => only.has(key) || key !== null',
      ),
    ],
    on: 'keys',
  },
  'a step for many is taken for none': {
    kind: 'doors',
    edits: [
      edit(
        'run/many/bulk.ts',
        ': await takeStep(runtime, request, entity, record, step, null, inputOf(what))',
        ": { kind: 'done' as const, id: record, version: 1 }",
      ),
    ],
  },
  'an edit of many changes none': {
    kind: 'doors',
    edits: [
      edit(
        'run/many/bulk.ts',
        'outcome: await change(runtime, request, entity, record, null, input) }',
        "outcome: { kind: 'done' as const, id: record, version: 1 } }",
      ),
    ],
  },
}
