/** What a spreadsheet puts on the clipboard: its rows of cells. In quotation marks stands what has a tab or the end of a line in it. */
export function pastedRows(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]]
  // A mark that nothing ends is only a mark, and so are all behind it.
  let mayQuote = true
  for (let at = 0; at <= text.length; at++) {
    const quoted = mayQuote && text[at] === '"' ? closing(text, at + 1) : -1
    if (text[at] === '"' && quoted === -1) mayQuote = false
    const end = quoted === -1 ? ending(text, at) : quoted + 1
    const cell = quoted === -1 ? text.slice(at, end) : text.slice(at + 1, quoted).replaceAll('""', '"')
    rows.at(-1)!.push(cell)
    at = text[end] === '\r' && text[end + 1] === '\n' ? end + 1 : end
    if (text[at] === '\n' && at + 1 < text.length) rows.push([])
    else if (text[at] === '\n') break
  }
  return rows
}

/** Where a cell without marks ends. */
function ending(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '\t' && text[at] !== '\n') at++
  return text[at] === '\n' && at > from && text[at - 1] === '\r' ? at - 1 : at
}

/** The mark that ends the cell; -1: there is none. */
function closing(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] === '"') continue
    return at + 1 === text.length || /[\t\n\r]/.test(text[at + 1]!) ? at : -1
  }
  return -1
}

/** What a combobox looks for and takes, where one record answers; told whether it did. */
export const choosing = 'ninefold:choose'

export interface Choosing {
  readonly text: string
  readonly done: (isTaken: boolean) => void
}

/** The one option that a text means: by its whole label, else by a part of it, as the number behind a title. */
export function meantBy<Of extends { readonly label: string }>(options: readonly Of[], text: string): Of | undefined {
  const called = text.trim().toLocaleLowerCase()
  const parts = ({ label }: Of) => label.toLocaleLowerCase().split(' · ')
  const whole = options.filter(({ label }) => label.toLocaleLowerCase() === called)
  const [one, ...others] = whole.length > 0 ? whole : options.filter(option => parts(option).includes(called))
  return others.length === 0 ? one : undefined
}
