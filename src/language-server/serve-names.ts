/** What an editor asks about the name at the cursor: what it is, where it is declared and named, and another name for it. */
import {
  type Connection,
  type Hover,
  LSPErrorCodes,
  MarkupKind,
  type Position,
  ResponseError,
  type TextEdit,
} from 'vscode-languageserver/node'
import type { Span } from '../document/source.ts'
import { languageWordAt } from '../headings/complete.ts'
import type { Thing } from '../trace/words.ts'
import { offsetAt, rangeOf } from './convert.ts'
import { placesNaming, thingAt } from './names.ts'
import type { Project } from './project.ts'
import { rename } from './rename.ts'

interface Asked {
  readonly textDocument: { readonly uri: string }
  readonly position: Position
}

interface Found {
  readonly project: Project
  readonly thing: Thing
  /** Everywhere that it is named, its declaration first. */
  readonly places: () => readonly Span[]
  /** The place that was asked about. */
  readonly here: () => Span | null
}

export function serveNames(connection: Connection, projectOf: (uri: string) => Project | null): void {
  const at = ({ textDocument: { uri }, position }: Asked): Found | null => {
    const project = projectOf(uri)
    const file = project?.fileOf(uri) ?? null
    if (project === null || file === null) return null
    const offset = offsetAt(file, position)
    const thing = thingAt(project, file, offset)
    if (thing === null) return null
    const places = () => placesNaming(project, thing)
    const here = () => places().find(span => span.file === file && span.start <= offset && offset <= span.end) ?? null
    return { project, thing, places, here }
  }
  const locations = ({ project }: Found, spans: readonly Span[]) =>
    spans.map(span => ({ uri: project.uriOf(span.file), range: rangeOf(span) }))

  connection.onHover(asked => {
    const found = at(asked)
    if (found === null) return wordHover(projectOf(asked.textDocument.uri), asked)
    const { title, lines } = found.thing
    const value = [`**${title}**`, ...lines().map(line => `- ${line.trim()}`)].join('\n')
    return { contents: { kind: MarkupKind.Markdown, value } }
  })
  connection.onDefinition(asked => {
    const found = at(asked)
    return found === null ? null : locations(found, found.places().slice(0, 1))
  })
  connection.onReferences(({ context, ...asked }) => {
    const found = at(asked)
    return found === null ? null : locations(found, found.places().slice(context.includeDeclaration ? 0 : 1))
  })
  connection.onDocumentHighlight(asked => {
    const found = at(asked)
    const { uri } = asked.textDocument
    return found === null
      ? null
      : locations(found, found.places())
          .filter(place => place.uri === uri)
          .map(({ range }) => ({ range }))
  })
  connection.onPrepareRename(asked => {
    const here = at(asked)?.here() ?? null
    return here === null ? null : rangeOf(here)
  })
  connection.onRenameRequest(({ newName, ...asked }) => {
    const found = at(asked)
    if (found === null) return null
    const renamed = rename(found.project, found.thing, newName)
    if ('refused' in renamed) return new ResponseError(LSPErrorCodes.RequestFailed, renamed.refused)
    const changes: Record<string, TextEdit[]> = {}
    for (const { span, text } of renamed.edits) {
      const uri = found.project.uriOf(span.file)
      changes[uri] = [...(changes[uri] ?? []), { range: rangeOf(span), newText: text }]
    }
    return { changes }
  })
}

/** What a word of the language means; null in prose. */
function wordHover(project: Project | null, { textDocument: { uri }, position }: Asked): Hover | null {
  const app = project?.reading.app ?? null
  const file = project?.fileOf(uri) ?? null
  const word = app === null || file === null ? null : languageWordAt(app, file.text, offsetAt(file, position))
  if (word === null) return null
  const { label, kind, detail } = word
  const more = `npx ninefold reference ${label.replaceAll(/[^\p{L} -]/gu, '').trim()}`
  return { contents: { kind: MarkupKind.Markdown, value: `**${kind} \`${label}\`**\n\n${detail}\n\n\`${more}\`` } }
}
