/** Names of what a call sends, and the JSON that they stand for: `customer.name` inside an object, `items[].name` in each of a list. */

interface SentName {
  /** Names of the objects around it, from the outside. */
  readonly path: readonly string[]
  /** The one of them that is a list, by its place; null: none. */
  readonly list: number | null
}

/** Null where it is no name: an empty part, or more than one list. */
export function sentName(name: string): SentName | null {
  const parts = name.split('.')
  const lists = parts.flatMap((part, index) => (part.endsWith('[]') ? [index] : []))
  const path = parts.map((part, index) => (lists.includes(index) ? part.slice(0, -2) : part))
  const isFine = path.every(part => part !== '' && !/[[\]]/.test(part))
  const last = lists.at(-1) ?? null
  return isFine && lists.length <= 1 && last !== parts.length - 1 ? { path, list: last } : null
}

type Made = Record<string, unknown>

/** Lists under one name are gone through together: what is missing in the shorter one is null. */
export function nested(body: Readonly<Record<string, unknown>>): Made {
  const made: Made = Object.create(null)
  for (const [name, value] of Object.entries(body)) {
    const { path, list } = sentName(name) ?? { path: [name], list: null }
    if (list === null || !Array.isArray(value)) put(made, path, value)
    else {
      const rows = rowsAt(made, path.slice(0, list + 1))
      const own = path.slice(list + 1)
      while (rows.length < value.length) rows.push(Object.create(null))
      for (const [index, row] of rows.entries()) put(row, own, value[index] ?? null)
    }
  }
  return made
}

function put(into: Made, path: readonly string[], value: unknown): void {
  inside(into, path.slice(0, -1))[path.at(-1)!] = value
}

/** The object under these names, made where it is not there. */
function inside(into: Made, path: readonly string[]): Made {
  let made = into
  for (const name of path) {
    made[name] ??= Object.create(null)
    made = made[name] as Made
  }
  return made
}

function rowsAt(into: Made, path: readonly string[]): Made[] {
  const holder = inside(into, path.slice(0, -1))
  holder[path.at(-1)!] ??= []
  return holder[path.at(-1)!] as Made[]
}
