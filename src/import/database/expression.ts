/**
 * SQL conditions, as PostgreSQL gives them back, in the expression language of Ninefold. What has no counterpart there, or would mean
 * something else, is null: nothing is guessed.
 */

/** What a column is called and holds in the document. */
export interface KnownColumn {
  readonly key: string
  /** A type cell: `text 80`, `choice: New, Used`. */
  readonly type: string
  /** Where the document writes a stored value in another way: choices, by what is stored. */
  readonly choices: ReadonlyMap<string, string> | null
  readonly optional: boolean
}

export type Known = (column: string) => KnownColumn | null

export type Node =
  | { readonly kind: 'column'; readonly column: KnownColumn }
  | { readonly kind: 'text' | 'number' | 'plain'; readonly value: string }
  | { readonly kind: 'length'; readonly of: Node }
  | { readonly kind: 'compare'; readonly sign: string; readonly left: Node; readonly right: Node }
  | { readonly kind: 'match'; readonly left: Node; readonly pattern: string }
  | { readonly kind: 'in'; readonly not: boolean; readonly left: Node; readonly values: readonly Node[] }
  | { readonly kind: 'empty'; readonly not: boolean; readonly of: Node }
  | { readonly kind: 'not'; readonly of: Node }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Node[] }
  | { readonly kind: 'arithmetic'; readonly sign: string; readonly left: Node; readonly right: Node }
  | { readonly kind: 'minus'; readonly of: Node }

/** The condition as a tree; null where it cannot be understood. */
export function readSql(text: string, known: Known): Node | null {
  try {
    return new SqlReader(text, known).whole()
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error
    return null
  }
}

/** A tree in the words of the language; null where it has none. */
export function write(node: Node): string | null {
  try {
    return written(node, 0)
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error
    return null
  }
}

class NotUnderstood extends Error {}

const pieces =
  /\s*(?:(?<text>E?'(?:[^']|'')*')|(?<quoted>"(?:[^"]|"")+")|(?<number>\d+(?:\.\d+)?(?![\w.]))|(?<word>[A-Za-z_]\w*)|(?<sign>::|<>|!=|<=|>=|!~\*?|~\*?|[-+*/<>=(),.[\]]))/y

interface Piece {
  readonly kind: 'text' | 'quoted' | 'number' | 'word' | 'sign' | 'end'
  readonly text: string
}

class SqlReader {
  private readonly pieces: readonly Piece[]
  private readonly known: Known
  private at = 0

  constructor(text: string, known: Known) {
    this.pieces = split(text)
    this.known = known
  }

  whole(): Node {
    const node = this.or()
    if (this.here.kind !== 'end') throw new NotUnderstood()
    return node
  }

  private or(): Node {
    const parts = [this.and()]
    while (this.word('or')) parts.push(this.and())
    return parts.length === 1 ? parts[0]! : { kind: 'or', parts }
  }

  private and(): Node {
    const parts = [this.negation()]
    while (this.word('and')) parts.push(this.negation())
    return parts.length === 1 ? parts[0]! : { kind: 'and', parts }
  }

  private negation(): Node {
    return this.word('not') ? { kind: 'not', of: this.negation() } : this.comparison()
  }

  private comparison(): Node {
    const left = this.sum()
    if (this.word('is')) {
      const not = this.word('not')
      this.expectWord('null')
      return { kind: 'empty', not, of: left }
    }
    const { kind, text } = this.here
    if (kind !== 'sign') return left
    if (text === '~') {
      this.at += 1
      const pattern = this.sum()
      if (pattern.kind !== 'text') throw new NotUnderstood()
      return { kind: 'match', left, pattern: pattern.value }
    }
    if (!['=', '<>', '!=', '<', '<=', '>', '>='].includes(text)) return left
    this.at += 1
    const sign = text === '<>' ? '!=' : text
    const quantifier = this.word('any') ? '=' : this.word('all') ? '!=' : null
    if (quantifier === null) return { kind: 'compare', sign, left, right: this.sum() }
    if (quantifier !== sign) throw new NotUnderstood()
    return { kind: 'in', not: sign === '!=', left, values: this.array() }
  }

  /** `(ARRAY['a'::text, 'b'::text])`, perhaps with a cast around it. */
  private array(): readonly Node[] {
    this.expect('(')
    if (this.sign('(')) {
      this.at -= 1
      const values = this.array()
      this.casts()
      this.expect(')')
      return values
    }
    this.expectWord('array')
    this.expect('[')
    const values: Node[] = []
    do values.push(this.sum())
    while (this.sign(','))
    this.expect(']')
    this.casts()
    this.expect(')')
    return values
  }

  private sum(): Node {
    let left = this.product()
    for (;;) {
      const sign = this.oneOf('+', '-')
      if (sign === null) return left
      left = { kind: 'arithmetic', sign, left, right: this.product() }
    }
  }

  private product(): Node {
    let left = this.unary()
    for (;;) {
      const sign = this.oneOf('*', '/')
      if (sign === null) return left
      // Whole numbers divide to whole numbers in SQL, and to decimals here.
      if (sign === '/') throw new NotUnderstood()
      left = { kind: 'arithmetic', sign, left, right: this.unary() }
    }
  }

  private unary(): Node {
    return this.sign('-') ? { kind: 'minus', of: this.unary() } : this.cast()
  }

  private cast(): Node {
    let node = this.primary()
    while (this.sign('::')) node = converted(node, this.typeName())
    return node
  }

  private casts(): void {
    while (this.sign('::')) this.typeName()
  }

  private primary(): Node {
    const { kind, text } = this.here
    this.at += 1
    if (kind === 'number') return { kind: 'number', value: text }
    if (kind === 'text') return { kind: 'text', value: text.slice(1, -1).replaceAll("''", "'") }
    if (kind === 'quoted') return this.column(text.slice(1, -1).replaceAll('""', '"'))
    if (kind === 'sign' && text === '(') {
      const node = this.or()
      this.expect(')')
      return node
    }
    if (kind !== 'word') throw new NotUnderstood()
    const word = text.toLowerCase()
    if (word === 'true' || word === 'false') return { kind: 'plain', value: word }
    if (word === 'current_date') return { kind: 'plain', value: 'today' }
    if (word === 'current_timestamp') return { kind: 'plain', value: 'now' }
    if (!this.sign('(')) return this.column(text)
    if (word === 'now' || word === 'transaction_timestamp') {
      this.expect(')')
      return { kind: 'plain', value: 'now' }
    }
    if (word !== 'char_length' && word !== 'length' && word !== 'character_length') throw new NotUnderstood()
    const of = this.or()
    this.expect(')')
    return { kind: 'length', of }
  }

  private column(name: string): Node {
    const column = this.known(name)
    if (column === null) throw new NotUnderstood()
    return { kind: 'column', column }
  }

  /** `numeric(10,2)`, `character varying(15)[]`, `timestamp with time zone`, `sales."Kind"`. */
  private typeName(): string {
    const words: string[] = []
    const isNamed = () => this.here.kind === 'word' || this.here.kind === 'quoted'
    const next = this.pieces[this.at + 1]
    if (this.here.kind === 'quoted' || (isNamed() && next?.kind === 'sign' && next.text === '.')) {
      const name = this.here.text
      this.at += 1
      if (!this.sign('.')) return name
      if (!isNamed()) throw new NotUnderstood()
      this.at += 1
      return `${name}.${this.pieces[this.at - 1]!.text}`
    }
    while (
      this.here.kind === 'word' &&
      (words.length === 0 || /^(?:varying|precision|without|with|time|zone)$/i.test(this.here.text))
    ) {
      words.push(this.here.text.toLowerCase())
      this.at += 1
    }
    if (words.length === 0) throw new NotUnderstood()
    if (this.sign('(')) while (!this.sign(')')) this.at += this.here.kind === 'end' ? stop() : 1
    if (this.sign('[')) this.expect(']')
    return words.join(' ')
  }

  private get here(): Piece {
    return this.pieces[this.at] ?? { kind: 'end', text: '' }
  }

  private sign(text: string): boolean {
    if (this.here.kind !== 'sign' || this.here.text !== text) return false
    this.at += 1
    return true
  }

  private oneOf(...signs: readonly string[]): string | null {
    return signs.find(text => this.sign(text)) ?? null
  }

  private word(text: string): boolean {
    if (this.here.kind !== 'word' || this.here.text.toLowerCase() !== text) return false
    this.at += 1
    return true
  }

  private expect(sign: string): void {
    if (!this.sign(sign)) throw new NotUnderstood()
  }

  private expectWord(word: string): void {
    if (!this.word(word)) throw new NotUnderstood()
  }
}

function stop(): never {
  throw new NotUnderstood()
}

function split(text: string): readonly Piece[] {
  const found: Piece[] = []
  let at = 0
  while (text.slice(at).trim() !== '') {
    pieces.lastIndex = at
    const match = pieces.exec(text)
    if (match === null) throw new NotUnderstood()
    at = pieces.lastIndex
    const [kind, piece] = Object.entries(match.groups!).find(([, value]) => value !== undefined)!
    // What a backslash means in E'…' has no counterpart.
    if (kind === 'text' && piece!.startsWith('E')) throw new NotUnderstood()
    found.push({ kind: kind as Piece['kind'], text: piece! })
  }
  return found
}

const textTypes: ReadonlySet<string> = new Set([
  'text',
  'character varying',
  'varchar',
  'character',
  'bpchar',
  'citext',
])
const numberTypes: ReadonlySet<string> = new Set([
  'smallint',
  'integer',
  'bigint',
  'numeric',
  'double precision',
  'real',
])

/** A cast that changes nothing here, or makes a value of a literal. */
function converted(node: Node, type: string): Node {
  const found = castOf(node, type)
  if (found === null) throw new NotUnderstood()
  return found
}

function castOf(node: Node, type: string): Node | null {
  switch (node.kind) {
    case 'text':
      return castText(node, type)
    case 'number':
    case 'minus':
      return numberTypes.has(type) ? node : null
    case 'plain':
      if (node.value !== 'now') return null
      if (type === 'date') return { kind: 'plain', value: 'today' }
      return type.startsWith('timestamp') ? node : null
    case 'column': {
      const isText = textTypes.has(type) && /^(?:text|long text|choice)/.test(node.column.type)
      const isNumber = /^(?:numeric|double precision)$/.test(type) && /^(?:integer|decimal)/.test(node.column.type)
      return isText || isNumber ? node : null
    }
    default:
      return null
  }
}

function castText(node: Node & { readonly value: string }, type: string): Node | null {
  const { value } = node
  if (type === 'date') {
    if (value === 'now') return { kind: 'plain', value: 'today' }
    return /^\d{4}-\d\d-\d\d$/.test(value) ? { kind: 'plain', value } : null
  }
  if (numberTypes.has(type)) return /^-?\d+(?:\.\d+)?$/.test(value) ? { kind: 'number', value } : null
  if (type === 'boolean')
    return /^(?:true|false|t|f)$/.test(value)
      ? { kind: 'plain', value: value.startsWith('t') ? 'true' : 'false' }
      : null
  // Enumerated types cast their labels; a choice is a text here.
  return type === 'interval' || type.startsWith('time') ? null : node
}

/** Binding strength of what is around: 0 nothing, 1 or, 2 and, 3 not, 4 comparison, 5 sum, 6 product. */
function written(node: Node, around: number): string {
  const inside = (strength: number, text: string) => (around > strength ? `(${text})` : text)
  switch (node.kind) {
    case 'column':
      return node.column.key
    case 'text':
      return textLiteral(node.value)
    case 'number':
    case 'plain':
      return node.value
    case 'length':
      return `length(${written(node.of, 0)})`
    case 'match':
      throw new NotUnderstood()
    case 'compare': {
      const [left, right] = [operand(node.left, node.right), operand(node.right, node.left)]
      return inside(4, `${left} ${node.sign} ${right}`)
    }
    case 'in': {
      const values = node.values.map(value => operand(value, node.left)).join(', ')
      return inside(4, `${written(node.left, 5)} ${node.not ? 'not in' : 'in'} (${values})`)
    }
    case 'empty':
      return inside(4, `${written(node.of, 5)} is ${node.not ? 'not ' : ''}empty`)
    case 'not':
      return inside(3, `not ${written(node.of, 4)}`)
    case 'and':
    case 'or': {
      const strength = node.kind === 'or' ? 1 : 2
      return inside(strength, node.parts.map(part => written(part, strength + 1)).join(` ${node.kind} `))
    }
    case 'arithmetic': {
      const strength = node.sign === '*' ? 6 : 5
      return inside(strength, `${written(node.left, strength)} ${node.sign} ${written(node.right, strength + 1)}`)
    }
    case 'minus':
      return `-${written(node.of, 7)}`
  }
}

/** A literal beside a choice is one of its names. */
function operand(node: Node, other: Node): string {
  const choices = other.kind === 'column' ? other.column.choices : null
  if (node.kind !== 'text' || choices === null) return written(node, 5)
  const name = choices.get(node.value)
  if (name === undefined) throw new NotUnderstood()
  return textLiteral(name)
}

function textLiteral(text: string): string {
  if (/["\\]|\p{Cc}/u.test(text)) throw new NotUnderstood()
  return `"${text}"`
}
