/** Ninefold in VS Code: starts `ninefold lsp` for Markdown, and shows what the server says of the entity at the cursor. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { commands, EventEmitter, Uri, window, workspace } from 'vscode'
import { LanguageClient } from 'vscode-languageclient/node'

/** @type {LanguageClient | null} */
let client = null

export async function activate(context) {
  const shown = new Map()
  const changed = new EventEmitter()
  context.subscriptions.push(
    changed,
    workspace.registerTextDocumentContentProvider('ninefold', {
      onDidChange: changed.event,
      provideTextDocumentContent: uri => shown.get(uri.path) ?? '',
    }),
    ...[
      ['ninefold.showStates', 'ninefold.states'],
      ['ninefold.showAccess', 'ninefold.access'],
      ['ninefold.showWays', 'ninefold.ways'],
    ].map(([id, command]) => commands.registerCommand(id, () => show(command, shown, changed))),
    commands.registerCommand('ninefold.restart', restart),
    workspace.onDidChangeConfiguration(event => {
      if (event.affectsConfiguration('ninefold.command')) return restart()
    }),
  )
  await restart()
}

export const deactivate = () => client?.stop()

async function restart() {
  await client?.stop()
  const { command, args } = serverCommand()
  const options = { shell: process.platform === 'win32', cwd: workspace.workspaceFolders?.[0]?.uri.fsPath }
  client = new LanguageClient('ninefold', 'Ninefold', { command, args, options }, { documentSelector: [{ scheme: 'file', language: 'markdown' }] })
  await client.start()
  await commands.executeCommand('setContext', 'ninefold.serves', true)
}

/** What the folder installed goes before what npm would fetch. */
function serverCommand() {
  const [command, ...args] = workspace.getConfiguration('ninefold').get('command', [])
  if (command !== undefined) return { command, args }
  const installed = (workspace.workspaceFolders ?? [])
    .map(({ uri }) => join(uri.fsPath, 'node_modules', '.bin', process.platform === 'win32' ? 'ninefold.cmd' : 'ninefold'))
    .find(path => existsSync(path))
  return installed === undefined
    ? { command: 'npx', args: ['ninefold', 'lsp'] }
    : { command: process.platform === 'win32' ? `"${installed}"` : installed, args: ['lsp'] }
}

/** Shows Markdown of the server beside the document, in place of what was shown before. */
async function show(command, shown, changed) {
  const editor = window.activeTextEditor
  if (editor === undefined || client === null) return
  const view = await client.sendRequest('workspace/executeCommand', {
    command,
    arguments: [client.code2ProtocolConverter.asTextDocumentPositionParams(editor.document, editor.selection.active)].map(
      ({ textDocument: { uri }, position }) => ({ uri, position }),
    ),
  })
  if (view === null) {
    await window.showInformationMessage('There is nothing to show: put the cursor on an entity, or below its heading.')
    return
  }
  const uri = Uri.from({ scheme: 'ninefold', path: `/${view.title}.md` })
  shown.set(uri.path, view.text)
  changed.fire(uri)
  await commands.executeCommand('markdown.showPreviewToSide', uri)
}
