/** What every application gives to browsers: ready in a package, made of the sources in a clone. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { builtAssets, isBuilt } from '../files.ts'
import { type Assets, assetsOf } from './client.ts'

/** Each list of what was built ahead: the file in `builtAssets` that each is in, and the name that other files refer to it by, where they do. */
export type BuiltAssets = Readonly<
  Record<'serve' | 'dev', readonly { readonly name: string; readonly in: string; readonly file?: string }[]>
>

/** Everything: once per start; entries `dev-…` only for `dev`. `cacheFolder`: where a clone keeps the bundle of its scripts from start to start. */
export async function standardAssets(cacheFolder: string, dev = false): Promise<Assets> {
  if (!isBuilt) return assetsOf(await (await import('./bundle.ts')).bundleAssets(cacheFolder, dev))
  const built = JSON.parse(await readFile(join(builtAssets, 'index.json'), 'utf8')) as BuiltAssets
  return assetsOf(
    await Promise.all(
      built[dev ? 'dev' : 'serve'].map(async ({ in: file, ...source }) => ({
        ...source,
        content: await readFile(join(builtAssets, file)),
      })),
    ),
  )
}
