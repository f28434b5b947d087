/** A language server over the same compiler as `check`: editors hear what is wrong while somebody writes, with the edits that cure it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import {
  type Connection,
  createConnection,
  DidChangeWatchedFilesNotification,
  type Position,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { formatted } from '../document/format.ts'
import { home } from '../files.ts'
import { completions } from '../headings/complete.ts'
import { readApp } from '../headings/index.ts'
import { coloursOf, legend } from './colours.ts'
import { actionsOf, completionKinds, diagnosticOf, offsetAt, positionAt, rangeOf } from './convert.ts'
import { foldings, outline } from './outline.ts'
import { type Project, projects } from './project.ts'
import { serveNames } from './serve-names.ts'
import { entityAt, views } from './views.ts'

/** Milliseconds without typing until a document is read anew. */
const pause = 150

/** Serves one editor until it says `exit`, which ends the process. */
export function serveEditor(input: Readable, output: Writable): void {
  const connection = createConnection(new StreamMessageReader(input), new StreamMessageWriter(output))
  const documents = new TextDocuments(TextDocument)
  const all = projects(uri => documents.get(uri)?.getText())

  connection.onInitialize(({ capabilities }) => {
    const watches = capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true
    connection.onInitialized(() => {
      warm(8)
      if (watches)
        void connection.client.register(DidChangeWatchedFilesNotification.type, {
          watchers: [{ globPattern: '**/*.{md,csv,tsv,ts,tsx}' }],
        })
    })
    return {
      serverInfo: { name: 'ninefold' },
      capabilities: {
        textDocumentSync: TextDocumentSyncKind.Incremental,
        completionProvider: { triggerCharacters: ['|', '.', '*', '(', ' '] },
        codeActionProvider: true,
        documentSymbolProvider: true,
        foldingRangeProvider: true,
        documentFormattingProvider: true,
        hoverProvider: true,
        definitionProvider: true,
        referencesProvider: true,
        documentHighlightProvider: true,
        renameProvider: { prepareProvider: true },
        semanticTokensProvider: { legend, full: true },
        executeCommandProvider: { commands: Object.keys(views) },
      },
    }
  })

  const check = checking(connection, all.of)
  documents.onDidChangeContent(({ document: { uri } }) => {
    all.changed(uri)
    check(uri)
  })
  documents.onDidClose(({ document: { uri } }) => all.changed(uri))
  connection.onDidChangeWatchedFiles(({ changes }) => {
    for (const { uri } of changes) all.changed(uri)
    for (const { uri } of documents.all()) check(uri)
  })

  connection.onCompletion(({ textDocument: { uri }, position }) => {
    const { app, file } = placed(all.of(uri), uri)
    if (app === null || file === null) return []
    const offset = offsetAt(file, position)
    const { from, options } = completions(app, file.text, offset)
    const range = { start: positionAt(file, from), end: position }
    return options.map(({ label, kind, detail }) => ({
      label,
      kind: completionKinds[kind],
      detail,
      textEdit: { range, newText: label },
    }))
  })
  connection.onCodeAction(({ textDocument: { uri }, range }) => {
    const project = all.of(uri)
    const file = project?.fileOf(uri) ?? null
    if (project === null || file === null) return []
    const [from, to] = [offsetAt(file, range.start), offsetAt(file, range.end)]
    return project.reading.found
      .filter(({ span }) => span.file === file && span.start <= to && span.end >= from)
      .flatMap(finding => actionsOf(project, finding))
  })
  connection.onDocumentSymbol(({ textDocument: { uri } }) => {
    const text = documents.get(uri)?.getText()
    return text === undefined ? [] : outline({ path: uri, text })
  })
  connection.onFoldingRanges(({ textDocument: { uri } }) => {
    const text = documents.get(uri)?.getText()
    return text === undefined ? [] : foldings({ path: uri, text })
  })
  connection.onDocumentFormatting(({ textDocument: { uri } }) => {
    const { file } = placed(all.of(uri), uri)
    if (file === null) return []
    const text = formatted(file.text)
    return text === file.text ? [] : [{ range: rangeOf({ file, start: 0, end: file.text.length }), newText: text }]
  })
  connection.languages.semanticTokens.on(({ textDocument: { uri } }) => {
    const { app, file } = placed(all.of(uri), uri)
    return app === null || file === null ? { data: [] } : coloursOf(app, file)
  })
  connection.onExecuteCommand(({ command, arguments: [asked] = [] }) => {
    const { uri, position } = asked as { readonly uri: string; readonly position: Position }
    const project = all.of(uri)
    const file = project?.fileOf(uri) ?? null
    const entity = file === null ? null : entityAt(project!, file, offsetAt(file, position))
    return entity === null ? null : views[command]!(project!.reading.app!, entity)
  })
  serveNames(connection, all.of)
  documents.listen(connection)
  connection.listen()
}

/** Reads an example some times, with and without mistakes, before anybody types: code that has run is run faster, and the first edits would wait for it. */
function warm(reads: number): void {
  const example = readFileSync(join(home, 'examples', 'loan-desk', 'loan-desk.md'), 'utf8')
  const text = reads % 2 === 0 ? example : example.replaceAll('today', 'todey')
  readApp('loan-desk.md', path => (path === 'loan-desk.md' ? text : null))
  if (reads > 1) setImmediate(warm, reads - 1)
}

const placed = (project: Project | null, uri: string) => ({
  app: project?.reading.app ?? null,
  file: project?.fileOf(uri) ?? null,
})

/** Tells the editor what is wrong in all files of a document, some moments after the last change of one of them. */
function checking(connection: Connection, projectOf: (uri: string) => Project | null): (uri: string) => void {
  const due = new Map<string, NodeJS.Timeout>()
  /** By root: files of which something was said. */
  const told = new Map<string, readonly string[]>()
  const tell = (uri: string) => {
    const project = projectOf(uri)
    if (project === null) return void connection.sendDiagnostics({ uri, diagnostics: [] })
    const found = Map.groupBy(project.reading.found, ({ span }) => project.uriOf(span.file))
    const uris = new Set([...found.keys(), ...project.reading.files.map(project.uriOf)])
    for (const gone of told.get(project.root) ?? [])
      if (!uris.has(gone)) void connection.sendDiagnostics({ uri: gone, diagnostics: [] })
    told.set(project.root, [...uris])
    for (const one of uris) {
      const diagnostics = (found.get(one) ?? []).map(finding => diagnosticOf(project, finding))
      void connection.sendDiagnostics({ uri: one, diagnostics })
    }
  }
  return uri => {
    clearTimeout(due.get(uri))
    due.set(
      uri,
      setTimeout(() => {
        due.delete(uri)
        tell(uri)
      }, pause),
    )
  }
}
