/**
 * Builds with defences removed: `node --import conformance/faulty.mjs` with NINEFOLD_FAULTS=<JSON list of names> runs the sources with the
 * edits of those rows of faults.ts and mutants/mutants.ts. An edit that finds its text not exactly once ends the process: a fault must not silently become none.
 */
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { faults } from './faults.ts'
import { mutants } from './mutants/mutants.ts'

const edits = JSON.parse(process.env.NINEFOLD_FAULTS ?? '[]').flatMap(name => {
  const found = faults[name] ?? mutants[name]?.edits
  if (found === undefined) throw new Error(`There is no fault named '${name}'.`)
  return found
})

registerHooks({
  load(url, context, next) {
    const result = next(url, context)
    if (!url.startsWith('file:') || !/\.tsx?$/.test(url)) return result
    const own = edits.filter(({ file }) => fileURLToPath(url).endsWith(`/src/${file}`))
    if (own.length === 0) return result
    let source = result.source.toString()
    for (const { file, from, to } of own) {
      if (source.split(from).length !== 2) {
        console.error(`A fault does not find its text in ${file} exactly once: ${from}`)
        process.exit(1)
      }
      source = source.replace(from, () => to)
    }
    return { ...result, source }
  },
})
