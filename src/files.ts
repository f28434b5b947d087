/** Ninefold's own files: in a clone this module lies in `src`, in the package what was built of it in `dist`; the rest lies beside both. */
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The folder with `docs`, `examples` and `package.json`. */
export const home = dirname(import.meta.dirname)

/** Whether all was built ahead, by `scripts/build.ts`. */
export const isBuilt = basename(import.meta.dirname) === 'dist'

/** What browsers load, in a package; a clone makes it of its sources. */
export const builtAssets = join(home, 'dist', 'assets')

/** A module that a thread of its own begins with, and what Node has to be told to run it. */
export function threadOf(folder: string, name: string): { readonly url: URL; readonly execArgv: string[] } {
  const url = (...path: readonly string[]) => pathToFileURL(join(home, ...path))
  return isBuilt
    ? { url: url('dist', `${name}.js`), execArgv: [] }
    : { url: url('src', folder, `${name}.ts`), execArgv: ['--import', url('scripts', 'tsx-hook.mjs').href] }
}
