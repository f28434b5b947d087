/** Pictures of auto numbers: `LN-{yyyy}-{00000}` is `LN-2026-00001`, and begins anew every year. */

type Part = { readonly text: string } | { readonly hole: 'yyyy' | 'yy' | 'mm' | 'dd' } | { readonly digits: number }

/** What is wrong with a picture, and where. */
interface WrongPicture {
  readonly wrong: string
  readonly at: readonly [from: number, to: number]
}

/** Reads a picture: holes for the day (`{yyyy}`, `{yy}`, `{mm}`, `{dd}`) and exactly one for the number (`{00000}`). */
export function readPicture(picture: string): readonly Part[] | WrongPicture {
  const parts: Part[] = []
  for (const piece of picture.matchAll(/\{[^}]*\}?|\}|[^{}]+/g)) {
    const at = [piece.index, piece.index + piece[0].length] as const
    const hole = /^\{(yyyy|yy|mm|dd|0{1,12})\}$/.exec(piece[0])?.[1]
    if (hole !== undefined) parts.push(hole.startsWith('0') ? { digits: hole.length } : { hole: hole as 'yyyy' })
    else if (/^[{}]/.test(piece[0]))
      return {
        wrong: `\`${piece[0]}\` is not a part of a number; write {yyyy}, {yy}, {mm}, {dd} or zeros like {00000}`,
        at,
      }
    else if (!/^[\w ./#-]+$/u.test(piece[0]))
      return { wrong: 'a number has letters A to Z, digits, spaces and the signs . / # - _', at }
    else parts.push({ text: piece[0] })
  }
  if (parts.filter(part => 'digits' in part).length !== 1)
    return { wrong: 'a picture has exactly one place for the number, like {00000}', at: [0, picture.length] }
  return parts
}

/** The part of a number that says when it was given: numbers count from 1 within each. `today` is `YYYY-MM-DD`. */
export function numberPeriod(picture: string, today: string): string {
  return partsOf(picture)
    .flatMap(part => ('hole' in part ? [ofDay(part.hole, today)] : []))
    .join('-')
}

/** The `n`th number of its period. More digits than the picture has zeros are written out: numbers never repeat. */
export function formatNumber(picture: string, n: number | bigint, today: string): string {
  return partsOf(picture)
    .map(part => {
      if ('text' in part) return part.text
      return 'hole' in part ? ofDay(part.hole, today) : String(n).padStart(part.digits, '0')
    })
    .join('')
}

/** A regular expression that all numbers of a picture match; the same in JavaScript and PostgreSQL. */
export function picturePattern(picture: string): string {
  const source = partsOf(picture).map(part => {
    if ('text' in part) return part.text.replace(/[./#-]/g, sign => `[${sign}]`)
    return 'hole' in part ? `[0-9]{${part.hole.length}}` : `[0-9]{${part.digits},}`
  })
  return `^${source.join('')}$`
}

function ofDay(hole: 'yyyy' | 'yy' | 'mm' | 'dd', today: string): string {
  const [year, month, day] = today.split('-') as [string, string, string]
  return { yyyy: year, yy: year.slice(2), mm: month, dd: day }[hole]
}

/** Of the pictures of a document, which are few. */
const known = new Map<string, readonly Part[]>()

function partsOf(picture: string): readonly Part[] {
  const found = known.get(picture)
  if (found !== undefined) return found
  const parts = readPicture(picture)
  if ('wrong' in parts) throw new Error(`The picture '${picture}' was not checked: ${parts.wrong}.`)
  known.set(picture, parts)
  return parts
}
