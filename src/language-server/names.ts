/** What a name in the text is: the thing that the document declares, every place that names it, and another name for all of them. */
import type { SourceFile, Span } from '../document/source.ts'
import type { App } from '../headings/app.ts'
import { nameAt } from '../headings/complete.ts'
import { thingsNamed, thingsOf } from '../trace/explain.ts'
import type { Thing } from '../trace/words.ts'
import type { Project } from './project.ts'

const known = new WeakMap<App, readonly Thing[]>()

function all(app: App): readonly Thing[] {
  const things = known.get(app) ?? thingsOf(app)
  known.set(app, things)
  return things
}

/** The thing whose name stands at an offset, where it is declared or named; null for words of the language and prose. */
export function thingAt({ reading: { app } }: Project, file: SourceFile, offset: number): Thing | null {
  if (app === null) return null
  const declared = all(app).find(
    ({ cell, names }) =>
      cell.file === file &&
      cell.start <= offset &&
      offset <= cell.end &&
      names.some(name => nameIn(cell, name) !== null),
  )
  if (declared !== undefined) return declared
  const name = nameAt(app, file.text, offset)
  return name === null ? null : (thingsNamed(all(app), name)[0] ?? null)
}

/** Where a name stands in a cell as a whole word, its first place; null: it does not. */
function nameIn({ file, start, end }: Span, name: string): Span | null {
  const [first] = placesOf(file, name, start, end)
  return first ?? null
}

function placesOf(file: SourceFile, name: string, from = 0, to = file.text.length): readonly Span[] {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, 'gu')
  return Array.from(file.text.slice(from, to).matchAll(pattern), ({ index }) => ({
    file,
    start: from + index,
    end: from + index + name.length,
  }))
}

/** The name as it is written alone: `due_back` of `Loan.due_back`, `max_days` of `limits.max_days`. */
export function shortName({ names, cell }: Thing): string | null {
  return names.find(name => nameIn(cell, name) !== null) ?? null
}

/** Every place that names a thing, its declaration first. */
export function placesNaming(project: Project, thing: Thing): readonly Span[] {
  const name = shortName(thing)
  if (name === null) return []
  const declared = nameIn(thing.cell, name)!
  const named = project.reading.files
    .flatMap(file => placesOf(file, name))
    .filter(span => span.file !== declared.file || span.start !== declared.start)
    .filter(({ file, start, end }) => thingAt(project, file, start + ((end - start) >> 1))?.cell === thing.cell)
  return [declared, ...named]
}
