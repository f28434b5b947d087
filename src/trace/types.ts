/**
 * What a document declares, as TypeScript: records, states, and the functions that are written beside it. Exact: an empty field is null only
 * where it may be empty, choices are their words, a reference is the id and never the record.
 */

import type { Entity, Field } from '../headings/3-entities/model.ts'
import type { App } from '../headings/app.ts'
import { type CodeType, mayBeNull } from '../headings/code/model.ts'
import { specified } from '../headings/specified.ts'
import { fieldKind } from '../kinds/fields/index.ts'
import { kindOf } from '../kinds/screens/index.ts'
import { usesOf } from '../kinds/screens/uses.ts'

/** The text of `ninefold.d.ts`. The same document gives the same text. */
export function typesOf(app: App): string {
  const named = namesOf(app)
  const records = [...app.entities.values()].map(entity => recordType(app, entity, named))
  const blocks = blockTypes(app, named)
  const functions = [...app.functions.values()].map(({ name, takes, gives, cell }) => {
    const given = takes.map(one => `${identifier(one.name)}: ${valueType(one, named)}`).join(', ')
    return `  /** Line ${lineOf(cell)}. */\n  ${name}: (${given}) => ${valueType(gives, named)} | null`
  })
  return [
    `/** Made by \`ninefold types\` from ${app.document.files[0]!.path}. Not to be changed by hand. */`,
    importing(blocks.length > 0),
    ...records,
    ...blocks,
    ['/** The functions of the document. */', 'export interface Functions {', ...functions, '}'].join('\n'),
    '',
  ].join('\n\n')
}

/** What blocks are given: a record as the person sees it, so that any field may be absent. None where the document has no block. */
function blockTypes(app: App, named: ReadonlyMap<string, string>): readonly string[] {
  const shown = app.screens.flatMap(screen => {
    const entity = specified(screen.shows)?.entity ?? null
    return usesOf(screen).blocks.map(({ name }) => [name, entity, kindOf(screen)?.entity === 'none'] as const)
  })
  if (shown.length === 0) return []
  const rowsOf = (entity: string) =>
    app.entities
      .get(entity)!
      .fields.flatMap(({ kind, type }) => (type.kind === 'list' && fieldKind(kind).links !== true ? [type.entity] : []))
  const withRows = (entity: string): readonly string[] => [entity, ...rowsOf(entity).flatMap(withRows)]
  const entities = [...new Set(shown.flatMap(([, entity]) => (entity === null ? [] : withRows(entity))))]
  const seen = new Map([...named].map(([key, name]) => [key, `${name}Seen`]))
  return [
    ...entities.map(entity => {
      const fields = app.entities
        .get(entity)!
        .fields.filter(isRead)
        .map(field => {
          const nullable = field.computed !== null || mayBeNull(field)
          return `  ${field.key}?: ${valueType(field, seen)}${nullable && !isRows(field) ? ' | null' : ''}`
        })
      const state = app.workflows.has(entity) ? [`  state?: ${named.get(entity)!}['state']`] : []
      return [`export interface ${seen.get(entity)!} {`, '  id: string', ...state, ...fields, '}'].join('\n')
    }),
    [
      '/** The blocks of the document. */',
      'export interface Blocks {',
      ...shown.map(([name, entity, isScreen]) => {
        const of = entity === null ? 'never' : seen.get(entity)!
        const props = entity === null ? 'ScreenGiven' : isScreen ? `ScreenProps<${of}>` : `BlockProps<${of}>`
        return `  ${name}: (props: ${props}) => JSX.Element | null`
      }),
      '}',
    ].join('\n'),
  ]
}

/** What is the same for every document, as the package has it (`types/`). */
const ofFunctions = ['DateText', 'Decimal', 'Moment']
const ofBlocks = ['BlockProps', 'BlockStep', 'ScreenGiven', 'ScreenProps']

function importing(hasBlocks: boolean): string {
  const taken = (names: readonly string[], from: string) =>
    ['import', 'export'].map(word => `${word} type { ${names.join(', ')} } from '${from}'`)
  return [
    ...(hasBlocks ? ["import type { JSX } from 'react'", ...taken(ofBlocks, 'ninefold/blocks')] : []),
    ...taken(ofFunctions, 'ninefold/functions'),
  ].join('\n')
}

export const isRows = ({ type }: Pick<Field, 'type'>): boolean => type.kind === 'list'

const usual = [...ofFunctions, ...ofBlocks, 'Functions', 'Blocks', 'JSX', 'Promise', 'Record', 'Array']

/** `Loan line` → `LoanLine`, by key; two entities never have one name. */
export function namesOf(app: App, others = usual): ReadonlyMap<string, string> {
  const taken = new Set(others)
  return new Map(
    [...app.entities.keys()].map(key => {
      let name = key.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
      while (taken.has(name)) name += 'Record'
      taken.add(name)
      return [key, name]
    }),
  )
}

function recordType(app: App, entity: Entity, named: ReadonlyMap<string, string>): string {
  const workflow = app.workflows.get(entity.key)
  const states = workflow?.states.map(({ name }) => JSON.stringify(name)).join(' | ')
  const fields = entity.fields
    .filter(field => field.computed === null && isRead(field))
    .map(field => `  ${field.key}: ${valueType(field, named)}${mayBeNull(field) ? ' | null' : ''}`)
  return [
    `export interface ${named.get(entity.key)!} {`,
    '  id: string',
    ...(states === undefined ? [] : [`  state: ${states}`]),
    ...fields,
    '}',
  ].join('\n')
}

/** Secrets are in nothing that is given. */
export const isRead = ({ kind }: Field): boolean => fieldKind(kind).sealed !== true

/** What the API gives, and a function is given. A reference of a record is an id; what a function takes by the name of an entity is the record. */
export function valueType(of: Field | CodeType, named: ReadonlyMap<string, string>): string {
  const { type, kind, parameters } = of
  switch (type.kind) {
    case 'integer':
      return 'number'
    case 'decimal':
    case 'money':
      return 'Decimal'
    case 'yes/no':
      return 'boolean'
    case 'date':
      return 'DateText'
    case 'moment':
      return 'Moment'
    case 'choice':
      return (parameters.choices ?? []).map(choice => JSON.stringify(choice)).join(' | ')
    case 'choices':
      return `(${(parameters.choices ?? []).map(choice => JSON.stringify(choice)).join(' | ')})[]`
    case 'list':
      return fieldKind(kind).links === true ? 'string[]' : `${named.get(type.entity)!}[]`
    case 'reference':
      return 'key' in of ? 'string' : named.get(type.entity)!
    case 'json':
      return 'unknown'
    case 'file':
      return '{ digest: string; size: number; type: string; name: string }'
    default:
      return 'string'
  }
}

/** Words of TypeScript are no names of parameters. */
const identifier = (name: string): string =>
  /^(?:break|case|catch|class|const|continue|debugger|default|delete|do|enum|export|extends|finally|for|function|import|new|return|super|switch|this|throw|try|typeof|var|void|while|with|null|in|instanceof|let|static|yield|await|package|private|protected|public|interface|implements)$/.test(
    name,
  )
    ? `${name}_`
    : name

const lineOf = ({ file, start }: { readonly file: { readonly text: string }; readonly start: number }): number =>
  file.text.slice(0, start).split('\n').length
