/** Several of a thing, in English: regular enough for names of entities; a document may say more one day. */

/** A name that is a plural already ("Order details", "Categories") stays as it is. */
export function pluralOf(name: string): string {
  if (/\bperson$/i.test(name)) return `${name.slice(0, -5)}eople`
  if (/(?:[^s]s|x)is$/i.test(name)) return `${name.slice(0, -2)}es`
  if (/s$/i.test(name) && !singularInS.test(name)) return name
  if (/(s|x|z|ch|sh)$/.test(name)) return `${name}es`
  return /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}s`
}

/** "Address", "Status", "Analysis" are one thing, and so are a few others. */
const singularInS = /(?:ss|us|is|\b(?:gas|lens|atlas|bias|alias|canvas))$/i
