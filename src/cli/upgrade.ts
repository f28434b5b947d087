/** `ninefold upgrade`: a document that was written for an older Ninefold, in what this one reads: rewritten where its meaning stays, told where somebody has to choose. */
import { join } from 'node:path'
import { lineStarts, position } from '../document/cell.ts'
import type { Diagnostic, Fix } from '../document/diagnostic.ts'
import type { Place } from '../document/finding.ts'
import { applyFix } from '../document/fix.ts'
import { edition, isKey } from '../document/markdown.ts'
import { placeOf } from '../document/print.ts'
import { allCodes } from '../headings/all-codes.ts'
import { type Command, onlyFile, typed } from './command.ts'
import { type Loaded, loadApp, readTexts, textOf } from './load.ts'
import { replaceFile } from './replace.ts'

interface UpgradeNote {
  readonly place: Place
  /** What of it older versions took otherwise, and how. */
  readonly was: string
  readonly code: string | null
  /** What was done, or what somebody has to choose. */
  readonly what: string
}

export const upgrade: Command = {
  name: 'upgrade',
  options: {
    check: { type: 'boolean', meaning: 'write nothing; exit code 1 if something would change' },
  },
  async run(files, options, output) {
    const file = onlyFile(files, 'upgrade')
    const before = loadApp(file)
    const { texts, changes, left } = upgraded(file, before)
    const isWritten = options.check !== true
    for (const [path, text] of texts) if (isWritten) replaceFile(join(before.folder, path), text)
    for (const { place, what, was } of changes) output.say(`${placed(place)}  ${what} (${was})`)
    for (const { place, what, was, code } of left)
      output.say(`${placed(place)}  ${code}, for you to decide: ${was}. ${what}`)
    const number = (of: readonly UpgradeNote[], one: string, more: string) =>
      `${of.length} ${of.length === 1 ? one : more}`
    output.say(
      `Edition ${edition}, the newest: ${number(changes, 'change', 'changes')}${isWritten ? '' : ' to be made'}, ${number(left, 'line', 'lines')} to decide.`,
    )
    output.say(`What else this version says of it: ${typed('check', file)}`)
    output.result({ edition, changes, left })
    return left.length > 0 || (!isWritten && changes.length > 0) ? 1 : 0
  },
}

const placed = ({ path, line, column }: Place): string => `${path}:${line}:${column}`

/** The texts that change, with what changed, and what is left to decide. */
function upgraded(file: string, before: Loaded) {
  const texts = new Map<string, string>()
  const changes: UpgradeNote[] = []
  const read = (path: string) => texts.get(path) ?? textOf(join(before.folder, path))
  let loaded = before
  for (;;) {
    const [next] = due(loaded)
    if (next === undefined) return { texts, changes, left: older(loaded).map(leftOf) }
    changes.push(next.told)
    for (const [{ path }, text] of applyFix(next.fix)) texts.set(path, text)
    loaded = readTexts(file, read)
  }
}

const older = ({ found }: Loaded): readonly Diagnostic[] =>
  found.filter(({ code }) => allCodes.get(code)?.older !== undefined)

/** What can be rewritten without a choice. */
function due(loaded: Loaded): readonly { readonly told: UpgradeNote; readonly fix: Fix }[] {
  const fixed = older(loaded).flatMap(one =>
    one.fixes.length !== 1 ? [] : [{ told: toldOf(one, one.fixes[0]!.title), fix: one.fixes[0]! }],
  )
  return [...withEdition(loaded), ...fixed]
}

const toldOf = ({ span, code }: Diagnostic, what: string): UpgradeNote => ({
  place: placeOf(span),
  was: allCodes.get(code)!.older!,
  code,
  what,
})
const leftOf = (one: Diagnostic): UpgradeNote => toldOf(one, one.help ?? one.message)

/** Without an edition, a document is read in the newest that there is, also by what comes later. */
function withEdition({ app }: Loaded): readonly { readonly told: UpgradeNote; readonly fix: Fix }[] {
  const { title, properties } = app?.document ?? { title: null, properties: [] }
  if (title === null || properties.some(({ key }) => isKey(key, 'Ninefold'))) return []
  const { file } = title
  const first = properties.find(({ key }) => key.file === file)?.key
  const starts = lineStarts(file)
  const line = position(file, (first ?? title).start).line
  const start = first === undefined ? (starts[line] ?? file.text.length) : starts[line - 1]!
  const text = first === undefined ? `\n- **Ninefold:** ${edition}\n` : `- **Ninefold:** ${edition}\n`
  const what = `write \`- **Ninefold:** ${edition}\``
  const told = { place: placeOf(title), was: 'no edition was named, and the newest assumed', code: null, what }
  return [{ told, fix: { title: what, edits: [{ span: { file, start, end: start }, text }] } }]
}
