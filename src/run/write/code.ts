/**
 * Functions of the document that are written in TypeScript. Each call runs in a world of its own: values go in as JSON and one comes out;
 * there is no module, no network, no file, no clock and no chance in it, and nothing stays from one call to the next. What goes wrong
 * inside is told, and what the function gives is unknown; of a transaction in which one went wrong nothing stays. The safety model
 * stands in decision 5.
 */
import { SourceMap, type SourceMapPayload } from 'node:module'
import { createContext, Script } from 'node:vm'
import { transformSync } from 'esbuild'
import type { Environment, Given } from '../../expression/evaluate.ts'
import type { RecordValue, Wire } from '../../expression/type.ts'
import type { App } from '../../headings/app.ts'
import { type CodeFunction, type CodeType, mayBeNull } from '../../headings/code/model.ts'
import { fieldKind } from '../../kinds/fields/index.ts'
import { roundedNumber } from '../../kinds/fields/json/exact.ts'
import { linked } from '../../kinds/fields/several/links.ts'
import type { Tx } from '../../store/pool.ts'
import type { Problem } from '../outcome.ts'
import { raise } from '../problems/raise.ts'
import type { Request } from '../request.ts'

type Functions = NonNullable<Environment['functions']>

export interface CodeFailure {
  readonly of: CodeFunction
  readonly why: string
  /** Where in the code it was thrown (`code/fees.ts:12:9`); null: that is not known, as of what takes too long. */
  readonly at: string | null
}

/** Milliseconds that one call may take. */
const longestCall = 1000
/** Characters that are kept of why it failed. */
const longestReason = 300

/** A record that is not filled in yet is refused for that alone; code sees only what its types promise. */
const incomplete = new Error('A record is not filled in yet.')

type Listener = (failure: CodeFailure) => void

/** A file as it runs, and where its parts stand in what was written. */
export interface Ready {
  readonly script: Script
  readonly map: SourceMap
}

const ready = new WeakMap<App['functions'], Map<string, Ready>>()
const listeners = new WeakMap<App['functions'], Listener>()

/** Told of every call that failed. It must not throw. */
export const listenToCode = ({ functions }: App, listener: Listener): void => {
  listeners.set(functions, listener)
}

/** The functions of an application as its expressions ask them. */
export const functionsOf = (app: App): Functions => functionsHeard(app, () => undefined)

const failed = new WeakMap<Tx, CodeFailure | null>()

/** A write of a transaction begins, in which nothing has failed yet: what was before it is done, or undone. */
export const beginCode = (tx: Tx): void => void failed.set(tx, null)

/**
 * The request as it acts in a transaction: what fails in it is kept, since nothing of the write may stay. So no function is asked any more,
 * however many rows there are: the first may have taken its second.
 */
export function hearingIn(tx: Tx, app: App, request: Request): Request {
  if (app.functions.size === 0) return request
  const heard = functionsHeard(app, failure => failed.set(tx, failure))
  const asked = Object.entries(heard).map(([name, ask]): [string, typeof ask] => [
    name,
    (...values) => (codeFailure(tx) === null ? ask(...values) : null),
  ])
  return { ...request, functions: Object.fromEntries(asked) }
}

/** What failed in the transaction: what it gives is missing, and what it decides undecided. */
export const codeFailure = (tx: Tx): CodeFailure | null => failed.get(tx) ?? null

/** Why it failed may tell what nobody may see, so that only the log says it. */
export const codeProblem = (app: App, { of }: CodeFailure, label: string): Problem =>
  raise(app, 'NF-CODE', { label, function: of.name, file: of.file?.path ?? '' }, { because: of.cell })

/** The same for whoever has to know of a call that failed. A file is made ready when it is asked for the first time. */
export function functionsHeard(app: App, heard: Listener): Functions {
  const scripts = ready.get(app.functions) ?? new Map<string, Ready>()
  ready.set(app.functions, scripts)
  const functions: Record<string, (...values: readonly Given[]) => Wire> = {}
  for (const [name, of] of app.functions) {
    functions[name] = (...values) => {
      if (of.file === null) return null
      const { path, text } = of.file
      const tell = (why: string, at: string | null = null) => {
        const failure = { of, why: keepable(why), at }
        listeners.get(app.functions)?.(failure)
        heard(failure)
        return null
      }
      try {
        const file = scripts.get(path) ?? scriptOf(path, text)
        scripts.set(path, file)
        const given = values.map((value, index) => shown(app, value, of.takes[index]!))
        const answer = call(file.script, name, given)
        if (answer === null) return null
        const parsed = fieldKind(of.gives.kind).fromJson(answer, of.gives.parameters)
        return 'value' in parsed
          ? parsed.value
          : tell(`it gave ${JSON.stringify(answer)}, which is not of type ${of.gives.kind}`)
      } catch (error) {
        if (error === incomplete) return null
        return tell(messageOf(error), placeIn(path, scripts.get(path), error))
      }
    }
  }
  return functions
}

/** The beginning, as a database can keep it. */
const keepable = (text: string): string => text.slice(0, longestReason).replaceAll('\0', '').toWellFormed()

/** What was thrown may come from the other world, where nothing is an `Error` of ours. */
function messageOf(error: unknown): string {
  const message = (error as { readonly message?: unknown } | null)?.message
  return typeof message === 'string' ? message : 'it threw something that is no error'
}

function scriptOf(path: string, text: string): Ready {
  const options = {
    loader: 'ts',
    format: 'iife',
    globalName: 'exported',
    sourcefile: path,
    sourcemap: 'external',
  } as const
  const { code, map } = transformSync(text, options)
  return { script: new Script(code, { filename: path }), map: new SourceMap(JSON.parse(map) as SourceMapPayload) }
}

/** Where the innermost call of the file stood (`code/fees.ts:12:9`); null: that is not known. */
export function placeIn(path: string, file: Ready | undefined, error: unknown): string | null {
  const stack = (error as { readonly stack?: unknown } | null)?.stack
  if (file === undefined || typeof stack !== 'string') return null
  const [at] = stack.split(`${path}:`).flatMap(rest => /^\d+:\d+/.exec(rest) ?? [])
  const [line, column] = at?.split(':').map(Number) ?? []
  if (line === undefined || column === undefined) return null
  const entry = file.map.findEntry(line - 1, column - 1)
  return 'originalLine' in entry ? `${path}:${entry.originalLine + 1}:${entry.originalColumn + 1}` : null
}

/** No chance and no clock: what is given decides alone. */
const pure = new Script(`{
  const none = what => () => { throw new Error(what) }
  Math.random = none('A function has no chance: Math.random is not there.')
  const clock = none('A function has no clock: take \`today\` or \`now\` as a value.')
  Date.now = clock
  Date.prototype.constructor = globalThis.Date = new Proxy(Date, {
    construct: (of, given, made) => (given.length === 0 ? clock() : Reflect.construct(of, given, made)),
    apply: clock,
  })
  // Without a moment, they write the present one.
  const words = Intl.DateTimeFormat.prototype
  const { format: { get: format }, formatToParts: { value: parts } } = Object.getOwnPropertyDescriptors(words)
  const ofMoment = write => moment => (moment === undefined ? clock() : write(moment))
  Object.defineProperty(words, 'format', { get() { return ofMoment(format.call(this)) } })
  words.formatToParts = function (moment) { return ofMoment(() => parts.call(this, moment))(moment) }
  for (const name of ['SharedArrayBuffer', 'Atomics', 'WebAssembly', 'WeakRef', 'FinalizationRegistry', 'Temporal']) delete globalThis[name]
}`)

/** What the function gives, as JSON has it. Only text crosses the border between the worlds. */
function call(script: Script, name: string, values: readonly unknown[]): unknown {
  const context = createContext(Object.create(null), {
    codeGeneration: { strings: false, wasm: false },
    microtaskMode: 'afterEvaluate',
  })
  const within = { timeout: longestCall }
  pure.runInContext(context, within)
  script.runInContext(context, within)
  const given = JSON.stringify(JSON.stringify(values))
  const asked = new Script(
    `(() => { const value = exported.${name}(...JSON.parse(${given})); return JSON.stringify(value ?? null) })()`,
  )
  const answer: unknown = asked.runInContext(context, within)
  return typeof answer === 'string' ? JSON.parse(answer) : null
}

/** A value as the API gives it; records with the fields that are stored, references as ids. */
function shown(app: App, value: Given, { kind, parameters, type }: CodeType): unknown {
  if (type.kind === 'list') return (value as readonly RecordValue[]).map(row => shownRecord(app, row, type.entity))
  if (type.kind === 'reference') return shownRecord(app, value as RecordValue, type.entity)
  return shownValue(value as Wire, kind, parameters)
}

function shownRecord(app: App, record: RecordValue, entity: string): Readonly<Record<string, unknown>> {
  const { fields } = app.entities.get(entity)!
  const values: Record<string, unknown> = { id: record.id ?? null }
  if (app.workflows.has(entity)) values.state = record.state ?? null
  for (const field of fields) {
    if (field.computed !== null || fieldKind(field.kind).sealed) continue
    const value = record[field.key] ?? null
    if (value === null && field.type.kind !== 'list' && !mayBeNull(field)) throw incomplete
    if (field.type.kind !== 'list') values[field.key] = shownValue(value as Wire, field.kind, field.parameters)
    else if (fieldKind(field.kind).links === true) values[field.key] = linked(value as Wire)
    else {
      const { entity: child } = field.type
      values[field.key] = ((value ?? []) as readonly RecordValue[]).map(row => shownRecord(app, row, child))
    }
  }
  return values
}

function shownValue(value: Wire, kind: string, parameters: CodeType['parameters']): unknown {
  const shown = fieldKind(kind).toJson(value, parameters)
  if (kind === 'integer' && typeof shown === 'string')
    throw new Error(`${shown} is too large a whole number for TypeScript.`)
  if (kind === 'json')
    JSON.stringify(shown, (_, part) => {
      const rounded = roundedNumber(part)
      if (rounded !== null) throw new Error(`${rounded} is a number that TypeScript would round.`)
      return part
    })
  return shown
}
