/** Files that are replaced, or stay as they were. */
import { existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'

/** Written aside and renamed: whoever reads meanwhile reads the old text or the new one, and on a full disk the old one stays. */
export function replaceFile(path: string, text: string): void {
  const isThere = existsSync(path)
  const target = isThere ? realpathSync(path) : path
  const aside = `${target}.${process.pid}.tmp`
  try {
    writeFileSync(aside, text, isThere ? { mode: statSync(target).mode } : {})
    renameSync(aside, target)
  } catch (error) {
    rmSync(aside, { force: true })
    throw error
  }
}
