/** Ninefold's places and findings in the words of the language server protocol. */
import {
  type CodeAction,
  CodeActionKind,
  CompletionItemKind,
  type Diagnostic,
  DiagnosticSeverity,
  type Position,
  type Range,
  type TextEdit,
} from 'vscode-languageserver/node'
import { lineStarts, position } from '../document/cell.ts'
import type { Diagnostic as Finding, Fix } from '../document/diagnostic.ts'
import type { SourceFile, Span } from '../document/source.ts'
import type { Completions } from '../headings/complete.ts'
import type { Project } from './project.ts'

export function positionAt(file: SourceFile, offset: number): Position {
  const { line, column } = position(file, offset)
  return { line: line - 1, character: column - 1 }
}

export const rangeOf = ({ file, start, end }: Span): Range => ({
  start: positionAt(file, start),
  end: positionAt(file, Math.max(start, end)),
})

/** A place beyond the end of its line, or of the file, counts as that end. */
export function offsetAt(file: SourceFile, { line, character }: Position): number {
  const starts = lineStarts(file)
  const start = starts[line] ?? file.text.length
  return Math.min(start + character, starts[line + 1] ?? file.text.length)
}

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  gap: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
} as const

export function diagnosticOf(project: Project, { code, severity, message, help, span, related }: Finding): Diagnostic {
  return {
    range: rangeOf(span),
    severity: severities[severity],
    code,
    source: 'ninefold',
    message: help === undefined ? message : `${message}.\n${help}`,
    relatedInformation: related.map(({ span, message }) => ({
      location: { uri: project.uriOf(span.file), range: rangeOf(span) },
      message,
    })),
  }
}

/** The only fix of a finding is the one that is meant. */
export const actionsOf = (project: Project, finding: Finding): readonly CodeAction[] =>
  finding.fixes.map(
    (fix): CodeAction => ({
      title: `${finding.code}: ${fix.title}`,
      kind: CodeActionKind.QuickFix,
      diagnostics: [diagnosticOf(project, finding)],
      ...(finding.fixes.length === 1 ? { isPreferred: true } : {}),
      edit: { changes: changesOf(project, fix) },
    }),
  )

function changesOf(project: Project, { edits }: Fix): Record<string, TextEdit[]> {
  const changes: Record<string, TextEdit[]> = {}
  for (const { span, text } of edits) {
    const uri = project.uriOf(span.file)
    changes[uri] = [...(changes[uri] ?? []), { range: rangeOf(span), newText: text }]
  }
  return changes
}

export const completionKinds: Readonly<Record<Completions['options'][number]['kind'], CompletionItemKind>> = {
  column: CompletionItemKind.Property,
  key: CompletionItemKind.Property,
  field: CompletionItemKind.Field,
  state: CompletionItemKind.EnumMember,
  role: CompletionItemKind.Interface,
  step: CompletionItemKind.Event,
  entity: CompletionItemKind.Class,
  error: CompletionItemKind.Constant,
  constant: CompletionItemKind.Constant,
  function: CompletionItemKind.Function,
  type: CompletionItemKind.TypeParameter,
  word: CompletionItemKind.Keyword,
}
