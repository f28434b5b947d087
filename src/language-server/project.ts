/** The documents that files in an editor belong to: read as the editor has them, from disk where it has not opened them. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { nineTitles } from '../document/nine.ts'
import type { SourceFile } from '../document/source.ts'
import type { Reading } from '../headings/app.ts'
import { readApp } from '../headings/index.ts'

/** A document as it was last read. */
export interface Project {
  /** Path of the root file on this machine. */
  readonly root: string
  readonly reading: Reading
  readonly uriOf: (file: SourceFile) => string
  readonly fileOf: (uri: string) => SourceFile | null
  /** The same document with other texts of some of its files, by their paths. */
  readonly readWith: (texts: ReadonlyMap<string, string>) => Reading
}

export interface Projects {
  /** Null: the file belongs to no document, as a README does. */
  readonly of: (uri: string) => Project | null
  /** What the file belongs to is read anew when it is next asked for. */
  readonly changed: (uri: string) => void
}

/** Folders above a file in which its document's root may lie. */
const mostAbove = 3

/** `opened`: the text of a file that is open in the editor. */
export function projects(opened: (uri: string) => string | undefined): Projects {
  const known = new Map<string, Project>()
  const textOf = (path: string) => opened(pathToFileURL(path).href) ?? textAt(path)

  const read = (root: string): Project => {
    const before = known.get(root)
    if (before !== undefined) return before
    const folder = dirname(root)
    const uriAt = (path: string) => pathToFileURL(join(folder, path)).href
    const load = (path: string) => opened(uriAt(path)) ?? textAt(join(folder, path))
    const bytes = (path: string) => bytesAt(join(folder, path))
    const readWith = (texts: ReadonlyMap<string, string>) =>
      readApp(basename(root), path => texts.get(path) ?? load(path), { bytes })
    const reading = readWith(new Map())
    const project: Project = {
      root,
      reading,
      readWith,
      uriOf: file => uriAt(file.path),
      fileOf: uri => reading.files.find(({ path }) => sameFile(uriAt(path), uri)) ?? null,
    }
    known.set(root, project)
    return project
  }

  const of = (uri: string): Project | null => {
    const path = pathOf(uri)
    if (path === null) return null
    for (const project of known.values()) if (project.fileOf(uri) !== null) return project
    const text = textOf(path)
    if (text === null) return null
    const above = foldersAbove(dirname(path)).flatMap(folder => rootsNaming(path, folder, textOf))
    const whole = above.map(read)
    const found = whole.find(project => project.fileOf(uri) !== null) ?? (isDocument(text) ? read(path) : null)
    for (const { root } of whole) if (root !== found?.root) known.delete(root)
    return found
  }

  return {
    of,
    changed(uri) {
      const path = pathOf(uri)
      for (const { root } of [...known.values()]) if (path === null || isBelow(dirname(root), path)) known.delete(root)
    },
  }
}

/** Whether a text has one of the nine headings. */
const isDocument = (text: string): boolean => {
  const titles = text.match(/^## .*$/gm) ?? []
  return titles.some(title => nineTitles.some(known => title.toLowerCase().includes(known.toLowerCase())))
}

const foldersAbove = (folder: string): readonly string[] => {
  const found = [folder]
  while (found.length <= mostAbove && dirname(found.at(-1)!) !== found.at(-1)) found.push(dirname(found.at(-1)!))
  return found
}

/** Documents of a folder that the file may be a part of: a root links its files by name. Others are not read, however large they are. */
const rootsNaming = (path: string, folder: string, textOf: (path: string) => string | null): readonly string[] => {
  const names = [basename(path), encodeURI(basename(path))]
  const mayHave = (root: string) => {
    const text = root === path ? '' : (textOf(root) ?? '')
    return names.some(name => text.includes(name)) && isDocument(text)
  }
  try {
    return readdirSync(folder)
      .filter(name => name.endsWith('.md'))
      .map(name => join(folder, name))
      .filter(mayHave)
  } catch {
    return []
  }
}

const pathOf = (uri: string): string | null => (uri.startsWith('file:') ? fileURLToPath(uri) : null)

const isBelow = (folder: string, path: string): boolean => !relative(folder, path).startsWith(`..${sep}`)

const sameFile = (left: string, right: string): boolean =>
  resolve(pathOf(left) ?? left) === resolve(pathOf(right) ?? right)

function bytesAt(path: string): Uint8Array | null {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path) : null
}

function textAt(path: string): string | null {
  const bytes = bytesAt(path)
  return bytes === null ? null : new TextDecoder().decode(bytes)
}
