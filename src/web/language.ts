/** In which language somebody reads: what they chose, else what their browser asks for, else the application's first. */

import type { IncomingHttpHeaders } from 'node:http'
import { chooseLanguage, offeredLanguages } from '../headings/translate.ts'
import type { Preferences } from '../run/people/people.ts'
import { isZone } from './preferences.ts'
import type { Web } from './request-context.ts'
import { type Site, siteFor } from './site.ts'

/** What is served, for whoever sends these headers and chose this. */
export function spokenSite(
  web: Pick<Web, 'site'>,
  headers: IncomingHttpHeaders,
  chosen: Pick<Preferences, 'language' | 'timeZone'> | null = null,
): Site {
  const site = web.site()
  const own = chosen?.language == null ? [] : [chosen.language.toLowerCase()]
  const language = chooseLanguage(offeredLanguages(site.app), [
    ...own,
    ...acceptedLanguages(headers['accept-language']),
  ])
  const zone = chosen?.timeZone ?? null
  return siteFor(site, language, zone !== null && isZone(zone) ? zone : null)
}

/** What is served, in one of its languages; in its first where it has that no more. Moments as the reader has them. */
export function siteIn(web: Pick<Web, 'site'>, language: string, { reader }: Site): Site {
  const site = web.site()
  const { zone } = reader.options
  return siteFor(
    site,
    chooseLanguage(offeredLanguages(site.app), [language.toLowerCase()]),
    zone === site.reader.options.zone ? null : zone,
  )
}

/** Languages of an `Accept-Language` header, the most wanted first. What cannot be read is left out. */
export function acceptedLanguages(header: string | undefined): readonly string[] {
  return (header ?? '')
    .slice(0, 500)
    .split(',')
    .flatMap(range => {
      const [tag = '', ...parameters] = range.split(';').map(part => part.trim())
      const weight = parameters.find(parameter => parameter.startsWith('q='))
      const wanted = weight === undefined ? 1 : Number(weight.slice('q='.length))
      return /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(tag) && wanted > 0 ? [{ tag: tag.toLowerCase(), wanted }] : []
    })
    .toSorted((one, other) => other.wanted - one.wanted)
    .map(({ tag }) => tag)
}
