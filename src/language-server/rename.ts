/** Another name for a thing, everywhere. The compiler is asked whether nothing is forgotten, before anything is changed. */
import { applyFix } from '../document/fix.ts'
import type { SourceFile, Span } from '../document/source.ts'
import { choiceText } from '../expression/check-name.ts'
import type { Reading } from '../headings/app.ts'
import type { Thing } from '../trace/words.ts'
import { placesNaming, shortName } from './names.ts'
import type { Project } from './project.ts'

export type Renamed =
  | { readonly edits: readonly { readonly span: Span; readonly text: string }[] }
  | { readonly refused: string }

/** Rounds in which the compiler is asked what was missed. */
const rounds = 8

export function rename(project: Project, thing: Thing, to: string): Renamed {
  const name = shortName(thing)
  const { app } = project.reading
  if (name === null || app === null) return { refused: 'This has no name of its own in the document.' }
  if (to.trim() !== to || to === '' || /[|`\n]/.test(to)) return { refused: `'${to}' can be no name.` }
  const [declared, ...others] = placesNaming(project, thing)
  if (declared === undefined) return { refused: 'This has no name of its own in the document.' }
  const line = lineBehind(declared)
  if (keepsData(project.reading, thing) && /^ *\(was /.test(line))
    return {
      refused: `It was renamed before. Update every database, take out its (was …), and then rename it.`,
    }
  const told = keepsData(project.reading, thing) ? `${to} (was ${name})` : to
  const places: Place[] = others.map(span => ({ span, text: to }))
  for (let round = 0; round < rounds; round++) {
    const edits = [{ span: declared, text: told }, ...places].sort(inOrder)
    const errors = newErrors(project, edits)
    if (errors.length === 0) return { edits }
    const mended = errors.filter(({ spans }) => spans.filter(span => mend(places, span, name, to)).length > 0)
    if (mended.length === 0) return { refused: `'${name}' cannot be called '${to}': ${errors[0]!.message}` }
  }
  return { refused: `'${name}' cannot be called '${to}' everywhere.` }
}

type Place = { readonly span: Span; text: string }

/** Makes of an error what was meant: a place that was missed, one that only looked like the name, or a name of several words that wants quotes. */
function mend(places: Place[], at: Span, name: string, to: string): boolean {
  const there = places.findIndex(({ span }) => span.file === at.file && span.start === at.start)
  if (there < 0 && textOf(at) === name) {
    places.push({ span: at, text: to })
    return true
  }
  const bare = places.find(({ span, text }) => text === to && / /.test(to) && isOneLine(span, at))
  if (bare !== undefined) {
    bare.text = choiceText(to)
    return true
  }
  if (there >= 0) places.splice(there, 1)
  return there >= 0
}

function isOneLine({ file, start }: Span, at: Span): boolean {
  return file === at.file && !file.text.slice(Math.min(start, at.start), Math.max(start, at.start)).includes('\n')
}

const textOf = ({ file, start, end }: Span): string => file.text.slice(start, end)

type Edit = { readonly span: Span; readonly text: string }

const inOrder = (left: Edit, right: Edit) =>
  left.span.file === right.span.file
    ? left.span.start - right.span.start
    : left.span.file.path.localeCompare(right.span.file.path)

const lineBehind = ({ file, end }: Span): string => file.text.slice(end).split(/[\r\n|]/, 1)[0]!

/** Entities, fields and states: there are tables, columns and records by their names. */
function keepsData({ app }: Reading, { cell }: Thing): boolean {
  const { entities, workflows } = app!
  return (
    [...entities.values()].some(entity => entity.cell === cell || entity.fields.some(field => field.cell === cell)) ||
    [...workflows.values()].some(({ states }) => states.some(state => state.cell === cell))
  )
}

/** What is wrong afterwards and was not before, at its place of before. */
function newErrors(project: Project, edits: readonly Edit[]) {
  const texts = new Map([...applyFix({ title: '', edits })].map(([{ path }, text]) => [path, text]))
  const before = errorsOf(project.reading).map(({ message }) => message)
  return errorsOf(project.readWith(texts))
    .filter(({ message }) => !before.includes(message))
    .map(({ message, span, related }) => ({
      message,
      spans: [span, ...related.map(({ span }) => span)].map(one => placeBefore(project, one, edits)),
    }))
}

const errorsOf = ({ found }: Reading) => found.filter(({ severity }) => severity === 'error')

function placeBefore({ reading }: Project, { file, start, end }: Span, edits: readonly Edit[]): Span {
  const original = reading.files.find(({ path }) => path === file.path) as SourceFile
  let shift = 0
  for (const { span, text } of edits)
    if (span.file === original && span.start + shift < start) shift += text.length - (span.end - span.start)
  return { file: original, start: start - shift, end: end - shift }
}
