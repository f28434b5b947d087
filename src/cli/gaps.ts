/** `ninefold gaps`: everything that a document leaves open, with place, owner and consequence. */
import { printSummary } from '../document/print.ts'
import { tagOfLanguage } from '../headings/1-product/tags.ts'
import { toTranslate } from '../headings/1-product/untranslated.ts'
import type { App } from '../headings/app.ts'
import { listGaps, openIn } from '../headings/gaps/list.ts'
import { CannotRead, type Command, onlyFile, typed } from './command.ts'
import { loadApp } from './load.ts'
import { refuse } from './output.ts'

export const gaps: Command = {
  name: 'gaps',
  options: {
    texts: {
      type: 'string',
      meaning: 'only the texts that this language of heading 1 lacks, as a table to fill in',
    },
  },
  async run(files, { texts }, output) {
    const file = onlyFile(files, 'gaps')
    const { app, found } = loadApp(file)
    const errors = found.filter(({ severity }) => severity === 'error')
    if (app === null) return refuse(output, errors)
    const lines = typeof texts === 'string' ? toTranslate(app, texts, otherLanguage(app, texts)) : listGaps(app)
    output.result(typeof texts === 'string' ? { texts: lines.join('\n') } : openIn(app))
    output.say(lines.length === 0 ? `Everything has words in ${texts}.` : lines.join('\n'))
    if (errors.length === 0) return 0
    output.warn(
      `${file} has ${printSummary(errors)}; this list may be incomplete because of them. To see them: ${typed('check', file)}`,
    )
    return 1
  },
}

/** The tag of a language that heading 1 lists behind its first. */
function otherLanguage({ name, product }: App, language: string): string {
  const others = product.languages.slice(1)
  const tag = tagOfLanguage(language)
  if (tag !== null && others.some(other => other.tag === tag)) return tag
  const listed = others.length === 0 ? 'none' : others.map(other => other.cell?.text ?? other.tag).join(', ')
  throw new CannotRead(`'${language}' is not another language of ${name}; heading 1 lists ${listed}.`)
}
