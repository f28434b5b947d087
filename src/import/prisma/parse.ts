/** The text of a Prisma schema as blocks of lines: fields with their types and attributes. */
import type { TextRange } from '../jdl/model.ts'

export interface PrismaSchema {
  readonly models: readonly PrismaModel[]
  readonly enums: readonly PrismaEnum[]
  /** What has no place in a document: `view Sales`. */
  readonly others: readonly string[]
}

export interface PrismaModel {
  readonly name: string
  readonly comment: string
  readonly fields: readonly PrismaField[]
  /** `@@unique([email, tenant])`. */
  readonly attributes: readonly PrismaAttribute[]
}

interface PrismaEnum {
  readonly name: string
  readonly values: readonly string[]
  /** What its comments say: `ADMIN: may do everything`. */
  readonly said: readonly string[]
}

export interface PrismaField {
  readonly name: string
  readonly type: string
  readonly isList: boolean
  readonly isOptional: boolean
  readonly comment: string
  readonly attributes: readonly PrismaAttribute[]
}

/** `@relation("Written", fields: [authorId])`: without its signs, and what stands between its brackets. */
export interface PrismaAttribute {
  readonly name: string
  readonly argument: string
}

type PrismaReading = { readonly schema: PrismaSchema } | { readonly mistake: string; readonly place: TextRange }

class Wrong extends Error {
  readonly line: number
  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

interface Line {
  readonly number: number
  readonly text: string
  /** What `///` above and behind it says. */
  readonly comment: string
}

/** Never throws for what the text says. */
export function parsePrisma(text: string): PrismaReading {
  try {
    return { schema: schemaOf(linesOf(text)) }
  } catch (error) {
    if (!(error instanceof Wrong)) throw error
    return { mistake: error.message, place: { line: error.line, column: 1 } }
  }
}

/** Lines in which something stands; brackets that go on make one line of several. */
function linesOf(text: string): readonly Line[] {
  const lines: Line[] = []
  let said: string[] = []
  let open: Line | null = null
  for (const [index, written] of text.split(/\r?\n/).entries()) {
    const { code, comment } = withoutComment(written)
    if (comment !== null) said.push(comment)
    if (code === '') continue
    const line: Line =
      open === null ? { number: index + 1, text: code, comment: '' } : { ...open, text: `${open.text} ${code}` }
    if (depth(line.text) > 0) open = line
    else {
      lines.push({ ...line, comment: said.join(' ') })
      said = []
      open = null
    }
  }
  if (open !== null) throw new Wrong(open.number, 'a bracket is not closed')
  return lines
}

/** `//` begins a comment outside of quotes; with a third stroke it belongs to the schema. */
function withoutComment(line: string): { readonly code: string; readonly comment: string | null } {
  const plain = line.replace(/"(?:[^"\\]|\\.)*"/g, quoted => '"'.padEnd(quoted.length, '_'))
  const at = plain.indexOf('//')
  if (at < 0) return { code: line.trim(), comment: null }
  const comment = line.slice(at)
  return { code: line.slice(0, at).trim(), comment: comment.startsWith('///') ? comment.slice(3).trim() : null }
}

/** How many round and square brackets are open at the end. */
function depth(text: string): number {
  const plain = text.replace(/"(?:[^"\\]|\\.)*"/g, '')
  return (plain.match(/[([]/g)?.length ?? 0) - (plain.match(/[)\]]/g)?.length ?? 0)
}

function schemaOf(lines: readonly Line[]): PrismaSchema {
  const [models, enums, others]: [PrismaModel[], PrismaEnum[], string[]] = [[], [], []]
  for (let at = 0; at < lines.length; at += 1) {
    const { number, text, comment } = lines[at]!
    const [, kind, name] = /^(model|view|type|enum|datasource|generator)\s+(\w+)\s*\{$/.exec(text) ?? []
    if (kind === undefined) throw new Wrong(number, `a block (\`model Book {\`) is expected, and not \`${text}\``)
    const end = lines.findIndex((line, index) => index > at && line.text === '}')
    if (end < 0) throw new Wrong(number, `the block ${name} is not closed`)
    const inside = lines.slice(at + 1, end)
    if (kind === 'enum') enums.push({ name: name!, values: inside.flatMap(valuesOf), said: saidOf(lines[at]!, inside) })
    if (kind === 'model') {
      const fields = inside.filter(line => !line.text.startsWith('@@')).map(fieldOf)
      const attributes = inside.filter(line => line.text.startsWith('@@')).flatMap(line => attributesOf(line.text))
      models.push({ name: name!, comment, fields, attributes })
    }
    if (kind === 'view' || kind === 'type') others.push(`${kind} ${name}`)
    at = end
  }
  return { models, enums, others }
}

const valuesOf = ({ text }: Line): readonly string[] => (text.startsWith('@@') ? [] : [/^\w+/.exec(text)?.[0] ?? text])

const saidOf = ({ comment }: Line, values: readonly Line[]): readonly string[] => [
  ...(comment === '' ? [] : [comment]),
  ...values.flatMap(line => (line.comment === '' ? [] : [`${valuesOf(line)[0] ?? line.text}: ${line.comment}`])),
]

function fieldOf({ number, text, comment }: Line): PrismaField {
  const found = /^(\w+)\s+(\w+(?:\("[^"]*"\))?)(\[\])?(\?)?\s*(.*)$/.exec(text)
  if (found === null) throw new Wrong(number, `a field (\`title String\`) is expected, and not \`${text}\``)
  const [, name, type, list, optional, rest] = found
  return {
    name: name!,
    type: type!,
    isList: list !== undefined,
    isOptional: optional !== undefined,
    comment,
    attributes: attributesOf(rest!),
  }
}

function attributesOf(text: string): readonly PrismaAttribute[] {
  const found: PrismaAttribute[] = []
  const begins = /@{1,2}([\w.]+)/g
  for (let begin = begins.exec(text); begin !== null; begin = begins.exec(text)) {
    let end = begins.lastIndex
    if (text[end] === '(') {
      do end = nextBracket(text, end)
      while (end < text.length && depth(text.slice(begins.lastIndex, end)) > 0)
    }
    found.push({ name: begin[1]!, argument: text.slice(begins.lastIndex + 1, Math.max(begins.lastIndex + 1, end - 1)) })
    begins.lastIndex = end
  }
  return found
}

/** Behind the next closing bracket. */
function nextBracket(text: string, from: number): number {
  const at = text.indexOf(')', from)
  return at < 0 ? text.length : at + 1
}
