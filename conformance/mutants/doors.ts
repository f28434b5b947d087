/** Mutants of ways in, and of what is read on them: links, deputies, several approvals, forms for everyone, paper, other languages. */
import { edit } from '../faults.ts'
import type { Mutant } from './mutant.ts'

const street = 'street-defects'

export const doorsMutants: Readonly<Record<string, Mutant>> = {
  'the link of a record opens others': {
    kind: 'doors',
    edits: [
      edit(
        'run/access/policy.ts',
        "? id => sql`${id} = ${slot('link')}::uuid`",
        "? id => sql`${slot('link')}::uuid is not null and ${id} is not null`",
      ),
    ],
    on: 'keys',
  },
  'deputies decide on other days': {
    kind: 'permissions',
    edits: [
      edit(
        'run/approvals/approvals.ts',
        'where s.deputy = ${me} and ${today} between s.from_on and s.until_on`',
        'where s.deputy = ${me} and ${today} is not null`',
      ),
    ],
    on: 'purchasing',
  },
  'a decision counts for every approval': {
    kind: 'steps',
    edits: [edit('run/approvals/approvals.ts', ' and d.approval = ${key}`', '`')],
    on: 'purchasing',
  },
  'refusals are told in the first language': {
    kind: 'languages',
    edits: [
      edit(
        'headings/translate.ts',
        'const own = { ...entry, ...entry.translated.get(language) }',
        "const own = { ...entry, ...entry.translated.get('') }",
      ),
    ],
    on: 'absence-desk',
  },
  'paper leaves out its texts': {
    kind: 'screens',
    edits: [edit('kinds/screens/print/build.ts', 'const text = textOf(part.text)', 'const text = textOf(null)')],
    on: 'purchasing',
  },
  'what depends on a condition is taken without it': {
    kind: 'rules',
    edits: [
      edit(
        'run/write/absent.ts',
        "if (isGiven) say('NF-ONLY-WHEN', field.onlyWhen!.cell)",
        "if (isGiven && entity === '') say('NF-ONLY-WHEN', field.onlyWhen!.cell)",
      ),
    ],
    on: 'keys',
  },
  'forms for everyone stand in other frames': {
    kind: 'doors',
    edits: [
      edit(
        'web/request/frames.ts',
        'embeddedIn.map(({ origin }) => origin) ?? []',
        "embeddedIn.map(({ origin }) => origin.replace(/^.*$/, 'https://elsewhere.example')) ?? []",
      ),
    ],
    on: street,
  },
  'what waits for a mail is taken at once': {
    kind: 'doors',
    edits: [
      edit(
        'web/routes/unconfirmed.ts',
        "return typeof address === 'string' && address !== '' ? address : null",
        "return typeof address === 'string' && address === '' ? address : null",
      ),
    ],
    on: street,
  },
  'a cell that was changed is not stored': {
    kind: 'doors',
    edits: [
      edit(
        'web/routes/cell.tsx',
        'formVersion(form),\n    inputOf(context, decoded),',
        'formVersion(form),\n    inputOf(context, { ...decoded, values: {} }),',
      ),
    ],
  },
  'open pages are told of what their reader does not see': {
    kind: 'doors',
    edits: [
      edit(
        'run/read/following.ts',
        "await ask('sees one', policy => policy.rows(entity, 'see', 't'))",
        "await ask('sees one', () => true)",
      ),
      edit(
        'run/read/following.ts',
        "allOf([policy.rows(entity, 'see', 't'), seesSome(policy, entity, changed)])",
        'seesSome(policy, entity, changed)',
      ),
    ],
  },
  'open pages are told nothing': {
    kind: 'doors',
    edits: [
      edit('web/live.ts', 'filter(page => found.has(page))', 'filter(page => found.has(page) && open.size === 0)'),
    ],
  },
  'many on paper are one too few': {
    kind: 'doors',
    edits: [
      edit(
        'web/routes/print.tsx',
        'const ids = ordered.map(({ id }) => id)',
        'const ids = ordered.slice(1).map(({ id }) => id)',
      ),
    ],
    on: 'purchasing',
  },
  'the page of a step takes another': {
    kind: 'doors',
    edits: [
      edit(
        'web/routes/steps.tsx',
        '    row.id,\n    key,\n    formVersion(form),',
        '    row.id,\n    row.may.steps.find(one => one.open && one.step !== key)?.step ?? key,\n    formVersion(form),',
      ),
    ],
  },
  'the form of a new record leaves out a text': {
    kind: 'doors',
    edits: [
      edit(
        'web/routes/submit.tsx',
        '? create(whole, request, place.entity.key, input)',
        "? create(whole, request, place.entity.key, { ...input, values: { ...input.values, ...Object.fromEntries(Object.entries(input.values).flatMap(([key, value]) => (typeof value === 'string' && /^[A-Za-z ]+$/.test(value) ? [[key, `${value} x`]] : []))) } })",
      ),
    ],
  },
  'new rows of files have their first column alone': {
    kind: 'files',
    edits: [
      edit(
        'run/many/import.ts',
        'const outcome = await create(runtime, request, entity, input)',
        'const first = Object.fromEntries(Object.entries(input.values).slice(0, 1))\n    const outcome = await create(runtime, request, entity, { ...input, values: first })',
      ),
    ],
    on: 'keys',
  },
  'rows behind the first are not looked at': {
    kind: 'rules',
    edits: [
      edit(
        'run/write/check.ts',
        '  rows.forEach((row, index) => {\n    const old = before',
        '  rows.slice(0, 1).forEach((row, index) => {\n    const old = before',
      ),
    ],
    on: 'loan-desk',
  },
}
