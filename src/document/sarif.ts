/** Diagnostics as SARIF 2.1.0 (OASIS, 2020), which code hosts show beside the lines of a change. */
import { position } from './cell.ts'
import type { Diagnostic, Fix, Severity } from './diagnostic.ts'
import type { SourceFile, Span } from './source.ts'

/** SARIF has no level for what is left open; gaps and hints are notes and keep their own word in `properties`. */
const levels: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  error: 'error',
  warning: 'warning',
  gap: 'note',
  hint: 'note',
}

/** One SARIF log with one run, to be written as JSON. `version` is that of this program, where it is known. */
export function toSarif(found: readonly Diagnostic[], version?: string) {
  const codes = [...new Set(found.map(({ code }) => code))].sort()
  const rules = codes.map(code => ruleOf(code, found))
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Ninefold', ...(version === undefined ? {} : { semanticVersion: version }), rules } },
        columnKind: 'utf16CodeUnits',
        results: found.map(each => resultOf(each, codes)),
      },
    ],
  }
}

function ruleOf(code: string, found: readonly Diagnostic[]) {
  const { severity, help } = found.find(each => each.code === code)!
  return {
    id: code,
    defaultConfiguration: { level: levels[severity] },
    ...(help === undefined ? {} : { help: { text: help } }),
    properties: { severity },
  }
}

function resultOf(
  { code, severity, message, help, span, related, fixes, section }: Diagnostic,
  codes: readonly string[],
) {
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: levels[severity],
    message: { text: help === undefined ? `${message}.` : `${message}. ${help}` },
    locations: [{ physicalLocation: physical(span) }],
    ...(related.length === 0
      ? {}
      : {
          relatedLocations: related.map((each, id) => ({
            id,
            message: { text: each.message },
            physicalLocation: physical(each.span),
          })),
        }),
    ...(fixes.length === 0 ? {} : { fixes: fixes.map(fixOf) }),
    properties: { severity, heading: section },
  }
}

function fixOf({ title, edits }: Fix) {
  const files = [...new Set(edits.map(({ span }) => span.file))]
  return {
    description: { text: title },
    artifactChanges: files.map(file => ({
      artifactLocation: artifact(file),
      replacements: edits
        .filter(({ span }) => span.file === file)
        .map(({ span, text }) => ({ deletedRegion: region(span), insertedContent: { text } })),
    })),
  }
}

function physical(span: Span) {
  return { artifactLocation: artifact(span.file), region: region(span) }
}

/** A path as a URI reference: relative paths stay relative, so that the log means the same on another machine. */
function artifact({ path }: SourceFile) {
  const encoded = path.split('/').map(encodeURIComponent).join('/')
  return { uri: path.startsWith('/') ? `file://${encoded}` : encoded }
}

function region({ file, start, end }: Span) {
  const [from, to] = [position(file, start), position(file, end)]
  return { startLine: from.line, startColumn: from.column, endLine: to.line, endColumn: to.column }
}
