/** A document and its parts → one tree with the place of everything, and what is wrong with its form. */

import { type ReadFile, readFile } from './blocks.ts'
import { link } from './cell.ts'
import { type DocumentReport, documentReport } from './codes.ts'
import { reportRepeatedKey, reportUnknownKey } from './columns.ts'
import type { Diagnostic } from './diagnostic.ts'
import { withoutLines, writeInstead } from './fix.ts'
import { nothing } from './nothing.ts'
import type { Cell, SourceFile } from './source.ts'
import { checkCharacters } from './text.ts'
import type { Document, Property } from './tree.ts'

/** The edition of the document language that this program reads. A document that states none is read as this one. */
export const edition = '1'

/** What may be said before the first heading 2 of the root file. */
const rootKeys: readonly string[] = ['Ninefold', 'Part', 'Assume']

/**
 * Reads a document. `root` is the path of its root file; `load` gives the text of a file, or null where there is none. Paths
 * have `/` separators; parts are asked for by their path seen from where `root` is seen from (`docs/desk.md` that links
 * `parts/loans.md` asks for `docs/parts/loans.md`). A byte order mark is not part of the text.
 *
 * Never throws for what a file says: there is always a tree, and `found` tells what could not be read into it.
 */
export function readDocument(
  root: string,
  load: (path: string) => string | null,
): { readonly document: Document; readonly found: readonly Diagnostic[] } {
  const found: Diagnostic[] = []
  const report = documentReport(0, found)
  const text = load(root)
  const file = sourceFile(root, text ?? '')
  if (text === null) {
    report('N0001', { file, start: 0, end: 0 }, { path: root })
    return { document: { files: [file], title: null, properties: [], sections: [] }, found }
  }
  checkCharacters(file, report)
  const first = readFile(file, found)
  if (first.title === null) report('N0003', { file, start: 0, end: 0 }, {})
  checkRootKeys(first.properties, report)
  const parts = partFiles(file, first, load, report).map(part => {
    checkCharacters(part, report)
    const read = readFile(part, found)
    checkPartKeys(read.properties, root, report)
    return { file: part, read }
  })
  const document = {
    files: [file, ...parts.map(part => part.file)],
    title: first.title,
    properties: first.properties,
    sections: [...first.sections, ...parts.flatMap(part => part.read.sections)],
  }
  return { document, found }
}

function sourceFile(path: string, text: string): SourceFile {
  return { path, text: text.startsWith('\ufeff') ? text.slice(1) : text }
}

/** The files that the root links with `Part`, in the order they are linked; each link that leads nowhere is reported. */
function partFiles(
  root: SourceFile,
  { properties }: ReadFile,
  load: (path: string) => string | null,
  report: DocumentReport,
): SourceFile[] {
  const linked = new Map<string, Cell>()
  const files: SourceFile[] = []
  for (const { key, value } of properties) {
    if (!isKey(key, 'Part') || nothing(value) !== null) continue
    const target = link(value)?.target
    const path = target === undefined ? null : resolve(root.path, target.text)
    if (target === undefined || path === null) {
      report('N0007', value, { written: value.text })
      continue
    }
    const before = linked.get(path)
    if (path === resolve(root.path, root.path.slice(root.path.lastIndexOf('/') + 1)))
      report('N0006', target, {}, { fixes: [withoutLines('take this line out', value)] })
    else if (before !== undefined) {
      report(
        'N0004',
        target,
        { path },
        {
          related: [{ span: before, message: 'first linked here' }],
          fixes: [withoutLines('take this line out', value)],
        },
      )
    } else {
      linked.set(path, target)
      const text = load(path)
      if (text === null) report('N0002', target, { path }, { fixes: [withoutLines('take this line out', value)] })
      else files.push(sourceFile(path, text))
    }
  }
  return files
}

function checkRootKeys(properties: readonly Property[], report: DocumentReport): void {
  let said: Cell | null = null
  for (const property of properties) {
    const { key, value } = property
    if (!rootKeys.some(known => isKey(key, known))) {
      reportUnknownKey(key, rootKeys, report, '; what is said of the application stands under heading 1')
    } else if (isKey(key, 'Ninefold')) {
      if (said !== null) {
        reportRepeatedKey(property, said, report)
      } else if (value.text !== edition && nothing(value) === null) {
        report('N0010', value, { edition: value.text, known: edition }, { fixes: [writeInstead(value, edition)] })
      }
      said ??= key
    }
  }
}

function checkPartKeys(properties: readonly Property[], root: string, report: DocumentReport): void {
  for (const { key } of properties) {
    if (isKey(key, 'Part')) report('N0005', key, { root })
    else report('N0012', key, { key: key.text, root })
  }
}

export function isKey(key: Cell, name: string): boolean {
  return key.text.toLowerCase() === name.toLowerCase()
}

/**
 * The path of a link in the root file, seen from where the root's own path is seen from; null for what is not a relative link
 * to a file. `%20` is a space; what follows `#` is a place inside the file and does not count.
 */
function resolve(root: string, target: string): string | null {
  const written = target.split('#')[0]!
  if (written === '' || /^[a-z][a-z0-9+.-]*:|^[/\\]/i.test(written)) return null
  let decoded: string
  try {
    decoded = decodeURIComponent(written)
  } catch {
    return null
  }
  const folder = root.slice(0, root.lastIndexOf('/') + 1)
  const steps: string[] = []
  for (const step of `${folder}${decoded}`.split('/')) {
    if (step === '.' || (step === '' && steps.length > 0)) continue
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..' && steps.at(-1) !== '') steps.pop()
    else steps.push(step)
  }
  return steps.join('/')
}
