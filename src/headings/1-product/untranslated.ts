/** What a document that offers several languages says in one of them only. */

import { reporter } from '../../document/diagnostic.ts'
import { didYouMean } from '../../document/nearest.ts'
import { catalogueOf, languageOf } from '../../expression/catalogue.ts'
import { usesOf } from '../../kinds/screens/uses.ts'
import type { Screen } from '../2-screens/model.ts'
import { isLong, type Mail } from '../7-calls/model.ts'
import type { App } from '../app.ts'
import { type Context, leaveOpen, listed } from '../context.ts'
import { type Open, open } from '../gaps/gap.ts'
import { writeNearest } from '../names.ts'
import { isUnspecified } from '../specified.ts'
import { otherTexts, readTexts } from '../translate.ts'
import { productCodes } from './codes.ts'

const section = 1
/** Whether Ninefold's own words exist in it. */
const hasOwnWords = (tag: string): boolean => ['en', 'de'].includes(languageOf(tag)) || catalogueOf(tag) !== null

/** A gap for each language that lacks words: the document's, or Ninefold's own. */
export function leaveUntranslated(context: Context, app: App): void {
  const [first, ...others] = app.product.languages
  for (const { tag, cell, catalogue } of app.product.languages) {
    const place = cell ?? app.product.cell
    if (catalogue === undefined && !hasOwnWords(tag))
      leaveOpen(context, place, open(section, 'ownWords', { language: tag }))
    const { texts, mails, pages } = others.some(other => other.tag === tag) ? missingIn(app, tag) : nothingMissing
    const missing = [
      ...texts,
      ...mails.map(({ key }) => `ninefold mail ${key}`),
      ...pages.map(page => `### ${page.name.text}`),
    ]
    if (missing.length === 0) continue
    leaveOpen(context, place, missingTexts(missing, tag, first!.tag))
  }
}

function missingTexts(missing: readonly string[], language: string, firstLanguage: string): Open {
  const shown = missing.slice(0, mostShown)
  const texts = { language, firstLanguage, texts: listed(shown) }
  const [count, more] = [missing.length, missing.length - shown.length]
  if (count === 1) return open(section, 'oneText', texts)
  return more === 0
    ? open(section, 'someTexts', { ...texts, count })
    : open(section, 'manyTexts', { ...texts, count, more })
}

const mostShown = 12

interface Missing {
  readonly texts: readonly string[]
  /** Their bodies have several lines, which no table holds. */
  readonly mails: readonly Mail[]
  /** Pages of prose. */
  readonly pages: readonly Screen[]
}

const nothingMissing: Missing = { texts: [], mails: [], pages: [] }

/** What people read in the first language who have chosen this one, by its tag. */
function missingIn(app: App, tag: string): Missing {
  const own = app.product.translations.get(tag)
  return {
    texts: readTexts(app).filter(text => !own?.has(text)),
    mails: [...app.mails.values()].filter(
      ({ body, translated }) => isLong(body) && (translated.get(tag)?.body ?? body) === body,
    ),
    pages: app.screens.filter(screen => {
      const { text } = usesOf(screen)
      return text?.text && !text.translated.has(tag)
    }),
  }
}

/** The same as a translator fills it in: the rows that the table of this language lacks, the fences of its mails and its pages of prose. */
export function toTranslate(app: App, language: string, tag: string): readonly string[] {
  const { texts, mails, pages } = missingIn(app, tag)
  return [
    ...(texts.length === 0 ? [] : [`### ${language}`, '', '| Text | Translation |', '| --- | --- |']),
    ...texts.map(text => `| ${text.replaceAll('|', '\\|')} | |`),
    ...mails.flatMap(({ key, body }) => [
      '',
      `\`\`\`ninefold mail ${key} in ${language}`,
      body === null || isUnspecified(body) ? '' : body.cell.text,
      '```',
    ]),
    ...pages.flatMap(page => [
      '',
      `### ${page.name.text}`,
      '',
      `#### In ${language}`,
      '',
      usesOf(page).text!.text!.text,
    ]),
  ]
}

/** Translations of what the document does not say. */
export function lintTranslations(context: Context, app: App): void {
  const { report } = reporter(productCodes, section, context.found)
  const texts = [...readTexts(app), ...otherTexts(app)].filter(text => text !== '')
  const known = new Set(texts)
  for (const translations of app.product.translations.values())
    for (const { text } of translations.values())
      if (!known.has(text.text))
        report(
          'N1106',
          text,
          { text: text.text, meant: didYouMean(text.text, texts) },
          { fixes: writeNearest(text, texts) },
        )
}
