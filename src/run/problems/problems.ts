/** Built-in refusals in the language of whoever is refused. */
import { catalogueOf, languageOf } from '../../expression/catalogue.ts'
import { type BuiltIn, type BuiltInCode, builtIn } from '../../headings/8-errors/built-in.ts'
import { german } from './german.ts'

/** A built-in refusal in a language (a tag), English where it has none; for an unknown code, that the values do not fit. */
export function builtInWords(code: string, language: string): BuiltIn {
  const known = (code in builtIn ? code : 'NF-CHECK') as BuiltInCode
  const words = languageOf(language) === 'de' ? german[known] : catalogueOf(language)?.refusals?.[known]
  return words === undefined
    ? builtIn[known]
    : { ...builtIn[known], ...(words as Pick<BuiltIn, 'message' | 'whatToDo'>) }
}
