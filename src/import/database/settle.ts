/**
 * The checker has the last word: what it does not take of the expressions that came from SQL is taken out of the draft again, and
 * noted. So an imported document is without errors, whatever the database checks.
 */
import type { Diagnostic } from '../../document/diagnostic.ts'
import { readApp } from '../../headings/index.ts'
import { type Draft, leaveOpen } from '../draft.ts'
import { writeDocument } from '../write.ts'
import type { Importing } from './importing.ts'

/** Changes the draft; gives its document. Throws where something else than a carried expression is wrong: a mistake of ours. */
export function settled(draft: Draft, importing: Importing): string {
  for (;;) {
    const document = writeDocument(draft)
    const { found } = readApp('app.md', path => (path === 'app.md' ? document : null))
    const wrong = found.filter(({ severity }) => severity === 'error' || severity === 'warning')
    if (wrong.length === 0) return writeDocument(numbered(draft))
    const taken = wrong.filter(diagnostic => takeOut(importing, document, diagnostic))
    if (taken.length > 0) continue
    const { code, message, severity } = wrong[0]!
    if (severity === 'warning') return document
    throw new Error(`The imported document has an error: ${code} ${message}`)
  }
}

/** Rules by their final numbers, without those that were taken out. */
const numbered = (draft: Draft): Draft => ({
  ...draft,
  rules: draft.rules.map((rule, index) => ({ ...rule, name: `V-${index + 1}`, error: `E-${index + 1}` })),
})

/** False where the line has nothing left that could be taken out. */
function takeOut({ drafting, carried }: Importing, document: string, { span, message }: Diagnostic): boolean {
  const before = document.slice(0, span.start)
  const line = document.slice(before.lastIndexOf('\n') + 1).split('\n', 1)[0]!
  const name = /^\| ([^ |]+) \|/.exec(line)?.[1]
  const rule = drafting.rules.findIndex(one => one.name === name || one.error === name)
  if (rule >= 0) {
    const [{ entity, about, source }] = drafting.rules.splice(rule, 1) as [(typeof drafting.rules)[number]]
    drafting.note(
      drafting.entities.find(one => one.name === entity)!,
      about,
      `the check is not carried over: ${source}`,
    )
    return true
  }
  const subject = before
    .split('\n')
    .findLast(line => line.startsWith('### '))
    ?.slice(4)
  const index = carried.findIndex(
    ({ entity, field, rule }) => entity.name === subject && field.key === name && field.rules.includes(rule),
  )
  const found = carried[index]
  if (found === undefined) return false
  carried.splice(index, 1)
  found.field.rules.splice(found.field.rules.indexOf(found.rule), 1)
  if (found.rule.startsWith('default ')) leaveOpen(found.field)
  drafting.note(found.entity, found.about, `\`${found.source}\` is not carried over: ${message}`)
  return true
}
