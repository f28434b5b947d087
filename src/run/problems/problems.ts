/** Built-in refusals in the language of whoever is refused. */
import { type BuiltIn, type BuiltInCode, builtIn } from '../../headings/8-errors/built-in.ts'
import { languageOf } from '../../headings/translate.ts'
import { german } from './german.ts'

/** A built-in refusal in a language (a tag), English where it has none; for an unknown code, that the values do not fit. */
export function builtInWords(code: string, language: string): BuiltIn {
  const known = (code in builtIn ? code : 'NF-CHECK') as BuiltInCode
  return languageOf(language) === 'de' ? { ...builtIn[known], ...german[known] } : builtIn[known]
}
