/** What the sources read of a request by name, and where: what is measured is found in the code, so that nothing new is forgotten. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../src')

const sources: readonly string[] = globSync('{web,kinds,ui}/**/*.{ts,tsx}', { cwd: root })
  .filter(path => !/test|browsing|\/client\//.test(path))
  .map(path => readFileSync(join(root, path), 'utf8'))

/** Every name that one of these finds in the sources, in its first group. */
function named(...patterns: readonly RegExp[]): readonly string[] {
  const found = sources.flatMap(source =>
    patterns.flatMap(pattern => [...source.matchAll(pattern)].map(([, name]) => name!)),
  )
  return [...new Set(found)].toSorted()
}

/** Those that a client computes itself would end the connection. */
const ofConnections = new Set(['content-length', 'host', 'transfer-encoding'])

export const headers: readonly string[] = named(
  /\bheaders\[['"]([a-z-]+)['"]\]/g,
  /\bheaders\.([a-z]+)\b(?![(.])/g,
).filter(name => !ofConnections.has(name))

export const cookies: readonly string[] = named(/\bcookies?(?:\.get)?\(?\[?['"]([a-z-]+)['"]/g)

/** `const tabName = '_tab'` is a name too. */
const constants = named(/\bconst \w+Name(?:: string)? = '([\w-]+)'/g)

export const queries: readonly string[] = [
  ...new Set([...named(/\bquery\.(?:get|getAll|has)\('([^']+)'/g), ...constants]),
]

export const forms: readonly string[] = [
  ...new Set([...named(/\b(?:form|postedForm\(context\))\.(?:get|getAll|has)\('([^']+)'/g), ...constants]),
].filter(name => name !== '_csrf')
