/**
 * Reads JHipster Domain Language: entities, enums, relationships, constants, options and applications, in any order. What only tells
 * JHipster how to build (deployments, the configuration of applications) is read over; the importer says so.
 */
import { didYouMean } from '../../document/nearest.ts'
import { JdlMistake, Lexer, type Token } from './lexer.ts'
import {
  type JdlAnnotation,
  type JdlApplication,
  type JdlEntity,
  type JdlEnum,
  type JdlField,
  type JdlModel,
  type JdlOption,
  type JdlRelationship,
  type JdlSide,
  type JdlValidation,
  relationshipKinds,
  type TextRange,
  type ValidationName,
  validationNames,
} from './model.ts'

type JdlReading =
  | { readonly model: JdlModel }
  /** The first thing that cannot be understood. */
  | { readonly mistake: string; readonly place: TextRange }

/** Never throws for what the text says. */
export function parseJdl(text: string): JdlReading {
  try {
    return { model: new Parser(new Lexer(text)).read() }
  } catch (error) {
    if (!(error instanceof JdlMistake)) throw error
    return { mistake: error.message, place: error.place }
  }
}

const statements = ['entity', 'enum', 'relationship', 'application', 'deployment', 'use'] as const
const withArgument: ReadonlySet<string> = new Set(['min', 'max', 'minlength', 'maxlength', 'minbytes', 'maxbytes'])

class Parser {
  private readonly entities: JdlEntity[] = []
  private readonly enums: JdlEnum[] = []
  private readonly relationships: JdlRelationship[] = []
  private readonly options: JdlOption[] = []
  private readonly applications: JdlApplication[] = []
  private readonly constants = new Map<string, { value: string; place: TextRange }>()
  private readonly deployments: TextRange[] = []
  private readonly lexer: Lexer
  private token: Token
  /** The comment that stands before the token. */
  private comment: string | null = null

  constructor(lexer: Lexer) {
    this.lexer = lexer
    this.token = lexer.next()
    this.skipComments()
  }

  read(): JdlModel {
    while (this.token.kind !== 'end') this.statement()
    const { entities, enums, relationships, options, applications, constants, deployments } = this
    return { entities, enums, relationships, options, applications, constants, deployments }
  }

  private statement(): void {
    if (this.accept(',')) return
    const { comment } = this
    const annotations = this.annotations()
    const place = placeOf(this.token)
    const word = this.word('a statement such as `entity Book {`')
    switch (word) {
      case 'entity':
        this.entity(this.comment ?? comment, annotations)
        break
      case 'enum':
        this.enumeration(this.comment ?? comment)
        break
      case 'relationship':
        this.relationship()
        break
      case 'application':
        this.application(place)
        break
      case 'deployment':
        this.deployments.push(place)
        this.expect('{')
        this.skipBlock()
        break
      case 'use':
        this.use(place)
        break
      default:
        if (this.accept('=')) this.constant(word, place)
        else this.option(word, place)
    }
  }

  private entity(comment: string | null, annotations: readonly JdlAnnotation[]): void {
    const place = placeOf(this.token)
    const name = this.name('the name of an entity')
    const first = this.entities.find(entity => entity.name === name)
    if (first !== undefined)
      throw new JdlMistake(`the entity ${name} is declared twice, first in line ${first.place.line}`, place)
    const table = this.accept('(') ? this.closed(this.word('the name of a table')) : null
    const fields: JdlField[] = []
    if (this.accept('{')) {
      while (!this.accept('}')) {
        const last = fields.at(-1)
        if (!this.accept(',')) fields.push(this.field())
        else if (last !== undefined) {
          const behind = this.commentBehind(last.place.line)
          if (behind !== null) fields[fields.length - 1] = { ...last, comment: joined(last.comment, behind) }
        }
      }
    }
    this.entities.push({ name, place, table, comment, annotations, fields })
  }

  private field(): JdlField {
    const above = this.comment
    const annotations = this.annotations()
    const before = this.comment ?? above
    const place = placeOf(this.token)
    const name = this.name('the name of a field, or `}`')
    const type = this.name(`the type of ${name}`)
    const validations: JdlValidation[] = []
    while (this.token.kind === 'word' && isValidation(this.token.text)) validations.push(this.validation())
    const comment = joined(before, this.commentBehind(place.line))
    return { name, place, type, comment, annotations, validations }
  }

  private validation(): JdlValidation {
    const place = placeOf(this.token)
    const name = this.token.text as ValidationName
    if (name === 'pattern') {
      this.take()
      if (this.token.text !== '(' || this.token.kind !== 'sign') throw this.unexpected('`(`')
      const { text } = this.lexer.regex()
      this.take()
      this.expect(')')
      return { name, argument: text, place }
    }
    this.take()
    if (!withArgument.has(name)) return { name, argument: null, place }
    this.expect('(')
    if (this.token.kind !== 'number' && this.token.kind !== 'word') throw this.unexpected('a number or a constant')
    return { name, argument: this.closed(this.take().text), place }
  }

  private enumeration(comment: string | null): void {
    const place = placeOf(this.token)
    const name = this.name('the name of an enum')
    this.expect('{')
    const values: { name: string; label: string | null; comment: string | null }[] = []
    while (!this.accept('}')) {
      if (this.accept(',')) continue
      const before = this.comment
      const line = this.token.line
      const value = this.name('a value of the enum, or `}`')
      let label: string | null = null
      if (this.accept('(')) {
        if (this.token.kind !== 'text' && this.token.kind !== 'word' && this.token.kind !== 'number')
          throw this.unexpected('the label of the value')
        label = this.closed(this.take().text)
      }
      values.push({ name: value, label, comment: joined(before, this.commentBehind(line)) })
    }
    this.enums.push({ name, place, comment, values })
  }

  private relationship(): void {
    const written = this.token
    const kind = relationshipKinds.find(known => known.toLowerCase() === written.text.toLowerCase())
    if (kind === undefined)
      throw new JdlMistake(
        `there is no relationship \`${written.text}\`${didYouMean(written.text, relationshipKinds)}`,
        placeOf(written),
      )
    this.take()
    this.expect('{')
    while (!this.accept('}')) {
      if (this.accept(',')) continue
      const place = placeOf(this.token)
      const from = this.side()
      const to = this.token.kind === 'word' && this.token.text === 'to' ? this.take() : null
      if (to === null) throw this.unexpected('`to`')
      const other = this.side()
      const options: string[] = []
      if (this.token.kind === 'word' && this.token.text === 'with') {
        this.take()
        options.push(this.word('an option'))
      }
      this.relationships.push({ kind, place, from, to: other, with: options })
    }
  }

  private side(): JdlSide {
    const { comment } = this
    const annotations = this.annotations()
    const before = this.comment ?? comment
    const entity = this.name('the name of an entity, or `}`')
    if (!this.accept('{')) return { entity, field: null, display: null, required: false, comment: before, annotations }
    const inner = this.annotations()
    const field = this.name('the name of a field')
    const display = this.accept('(') ? this.closed(this.name('the name of a field')) : null
    const required = this.token.kind === 'word' && this.token.text === 'required'
    if (required) this.take()
    this.expect('}')
    return { entity, field, display, required, comment: before, annotations: [...annotations, ...inner] }
  }

  private constant(name: string, place: TextRange): void {
    if (this.token.kind !== 'number') throw this.unexpected(`the number that ${name} stands for`)
    this.constants.set(name, { value: this.take().text, place })
  }

  /** `use mapstruct, serviceImpl for A, B except C` is three options in one. */
  private use(place: TextRange): void {
    const methods = this.list()
    if (this.word('`for`') !== 'for') throw new JdlMistake('`use` is followed by `for` and entities', place)
    const entities = this.list()
    const except = this.exceptions()
    for (const method of methods) this.options.push({ keyword: 'use', entities, with: method, except, place })
  }

  private option(keyword: string, place: TextRange): void {
    const meant = didYouMean(keyword, statements)
    const expected = `there is no statement \`${keyword}\`${meant}`
    if (this.token.kind !== 'word' && this.token.text !== '*') throw new JdlMistake(expected, place)
    const entities = this.list()
    if (this.token.text === '{' || this.token.text === '(') throw new JdlMistake(expected, place)
    let method: string | null = null
    if (this.token.kind === 'word' && this.token.text === 'with') {
      this.take()
      method = this.take().text
    }
    this.options.push({ keyword, entities, with: method, except: this.exceptions(), place })
  }

  private exceptions(): readonly string[] {
    if (this.token.kind !== 'word' || this.token.text !== 'except') return []
    this.take()
    return this.list()
  }

  private list(): readonly string[] {
    const names: string[] = []
    do {
      names.push(this.accept('*') ? 'all' : this.word('the name of an entity'))
    } while (this.accept(','))
    return names
  }

  private application(place: TextRange): void {
    this.expect('{')
    let baseName: string | null = null
    while (!this.accept('}')) {
      if (this.token.kind === 'end') throw this.unexpected('`}`')
      const { text, kind, ...at } = this.take()
      if (kind === 'sign' && text === '{') this.skipBlock()
      if (kind !== 'word') continue
      if (text === 'config' && this.accept('{')) baseName = this.config() ?? baseName
      else if (text === 'use') this.use(at)
      else if (text === 'entities') {
        this.list()
        this.exceptions()
      } else if (this.token.kind === 'word') this.option(text, at)
    }
    this.applications.push({ baseName, place })
  }

  private config(): string | null {
    let baseName: string | null = null
    let depth = 1
    while (depth > 0) {
      if (this.token.kind === 'end') throw this.unexpected('`}`')
      const { kind, text } = this.take()
      if (kind === 'sign' && text === '{') depth += 1
      else if (kind === 'sign' && text === '}') depth -= 1
      else if (kind === 'word' && text === 'baseName' && depth === 1) baseName = this.token.text
    }
    return baseName
  }

  private skipBlock(): void {
    let depth = 1
    while (depth > 0) {
      if (this.token.kind === 'end') throw this.unexpected('`}`')
      const { kind, text } = this.take()
      if (kind === 'sign' && text === '{') depth += 1
      else if (kind === 'sign' && text === '}') depth -= 1
    }
  }

  private annotations(): readonly JdlAnnotation[] {
    const annotations: JdlAnnotation[] = []
    while (this.accept('@')) {
      const name = this.word('the name of an annotation')
      let value: string | null = null
      if (this.accept('(')) {
        const { kind, text } = this.take()
        if (kind === 'end') throw this.unexpected('`)`')
        value = kind === 'sign' && text === '-' ? `-${this.take().text}` : text
        this.expect(')')
      }
      annotations.push({ name, value })
    }
    return annotations
  }

  /** A comment that stands behind a field on its line belongs to it. */
  private commentBehind(line: number): string | null {
    const { comment } = this
    if (comment === null || this.commentLine !== line) return null
    this.comment = null
    return comment
  }

  private commentLine = 0

  private skipComments(): void {
    this.comment = null
    while (this.token.kind === 'comment') {
      this.comment = this.token.text === '' ? null : this.token.text
      this.commentLine = this.token.line
      this.token = this.lexer.next()
    }
  }

  private take(): Token {
    const taken = this.token
    this.token = this.lexer.next()
    this.skipComments()
    return taken
  }

  private accept(sign: string): boolean {
    if (this.token.kind !== 'sign' || this.token.text !== sign) return false
    const { comment } = this
    this.take()
    // `@Id` and `,` do not part a comment from what it is about.
    if (sign === '@' || sign === ',') this.comment ??= comment
    return true
  }

  private expect(sign: string): void {
    if (!this.accept(sign)) throw this.unexpected(`\`${sign}\``)
  }

  private closed(text: string): string {
    this.expect(')')
    return text
  }

  private word(expected: string): string {
    if (this.token.kind !== 'word') throw this.unexpected(expected)
    return this.take().text
  }

  private name(expected: string): string {
    if (this.token.kind !== 'word' || !/^[A-Za-z]\w*$/.test(this.token.text)) throw this.unexpected(expected)
    return this.take().text
  }

  private unexpected(expected: string): JdlMistake {
    const { kind, text } = this.token
    const found = kind === 'end' ? 'the file ends' : `\`${text}\` stands`
    return new JdlMistake(`${found} where ${expected} is expected`, placeOf(this.token))
  }
}

const joined = (one: string | null, other: string | null): string | null =>
  one === null || other === null ? (one ?? other) : `${one} ${other}`

const isValidation = (word: string): word is ValidationName => (validationNames as readonly string[]).includes(word)

const placeOf = ({ line, column }: Token): TextRange => ({ line, column })
