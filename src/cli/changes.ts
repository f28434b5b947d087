/** Notices when a document's files change on disk. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Loaded, textOf } from './load.ts'

export interface Changes {
  /** Resolves when a file says something else than was loaded, also where that happened before the call. One wait at a time. */
  readonly next: (loaded: Loaded) => Promise<'changed'>
  readonly close: () => void
}

/** Milliseconds between two looks. A change counts when two looks agree: editors write in several steps. */
const lookEvery = 100

/**
 * Looks at the files instead of asking the system to tell: that also works on mounted and network folders, for files that an editor
 * replaces, and for parts that are linked but not written yet. A look is one `stat` per file. While the root file is absent, nothing
 * has changed.
 */
export function changesOf(): Changes {
  let timer: NodeJS.Timeout | undefined
  const close = () => clearTimeout(timer)
  return {
    close,
    next({ folder, root, texts }) {
      close()
      const files = [...texts].map(([path, text]) => ({ path, full: join(folder, path), text, mark: '', now: text }))
      /** True when something is different from what was loaded; `settled` when it is as at the look before. */
      const look = () => {
        let settled = true
        for (const file of files) {
          const mark = markOf(file.full)
          if (mark === file.mark) continue
          settled = false
          file.mark = mark
          file.now = textOf(file.full)
        }
        const rootIsThere = files.every(({ path, now }) => path !== root || now !== null)
        return settled && rootIsThere && files.some(({ text, now }) => text !== now)
      }
      const { promise, resolve } = Promise.withResolvers<'changed'>()
      const again = () => {
        timer = setTimeout(() => (look() ? resolve('changed') : again()), lookEvery)
      }
      look()
      again()
      return promise
    },
  }
}

/** Differs whenever the file may say something else. */
function markOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? 'absent' : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`
}
