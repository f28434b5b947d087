/** Settings from outside: the environment variable `NAME`, or the text of the file that `NAME_FILE` names, as containers and systemd hand secrets over. */
import { readFileSync } from 'node:fs'
import { CannotRead } from './command.ts'

export type Variable = (name: string) => string | undefined

/** Undefined where it is not set, or empty. Throws `CannotRead`, and never with the value: both are given, or there is no such file. */
export function readingFrom(environment: Readonly<Record<string, string | undefined>>): Variable {
  const texts = new Map<string, string>()
  const given: Variable = name => (environment[name] === '' ? undefined : environment[name])
  return name => {
    const [value, path] = [given(name), given(`${name}_FILE`)]
    if (path === undefined) return value
    if (value !== undefined)
      throw new CannotRead(`${name} and ${name}_FILE are both set, and only one of them can be meant. Unset one.`)
    const text = texts.get(path) ?? textOf(name, path)
    texts.set(path, text)
    return text === '' ? undefined : text
  }
}

/** Without the line break that editors and `echo` put at the end. */
function textOf(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'no such file is there' : `it cannot be read (${code ?? 'unknown'})`
    throw new CannotRead(`${name}_FILE names '${path}', and ${why}.`)
  }
}

/** Of this process. */
export const variable: Variable = readingFrom(process.env)

/** The variable of OpenTelemetry that asks for traces; null: none does. */
export function tracesAskedBy(variable: Variable): string | null {
  const asking = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_TRACES_EXPORTER']
  const by = asking.find(name => (variable(name) ?? '') !== '')
  const isOff = variable('OTEL_TRACES_EXPORTER') === 'none' || variable('OTEL_SDK_DISABLED') === 'true'
  return by === undefined || isOff ? null : by
}
