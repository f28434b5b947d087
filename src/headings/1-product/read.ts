/** Heading 1 into the model. */

import { link, slice, splitCell } from '../../document/cell.ts'
import { type NamedRow, readProperties } from '../../document/columns.ts'
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { didYouMean } from '../../document/nearest.ts'
import { leftOpen } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import {
  answerOf,
  type Context,
  cellOrNull,
  documentReporter,
  leaveOpen,
  listed,
  notYet,
  readTables,
  sectionsOf,
} from '../context.ts'
import { open } from '../gaps/gap.ts'
import { writeNearest, writeOneOf } from '../names.ts'
import { specified } from '../specified.ts'
import { readBrand } from './brand.ts'
import { productCodes } from './codes.ts'
import type { Language, Product, Tenant } from './model.ts'
import { readOwnCatalogue } from './own-catalogue.ts'
import { properties } from './table.ts'
import { languageNames, tagOfLanguage } from './tags.ts'
import { readTranslations } from './translations.ts'
import { readWeek } from './week.ts'
import { zoneMeant } from './zones.ts'

const section = 1

/** Heading 1; keys that are left out become assumptions or gaps. */
export function readProduct(context: Context, title: Cell): Product {
  const sections = sectionsOf(context, section)
  const written = sections.flatMap(content => content.properties)
  for (const content of sections) readTables(context, content, section, [])
  const keys: Keys = readProperties(
    written,
    properties,
    sections[0]?.title ?? title,
    documentReporter(context, section),
  )
  const languages = readLanguages(context, keys.cell('Languages'))
  return {
    cell: sections[0]?.title ?? title,
    prose: sections.flatMap(content => content.prose),
    serves: cellOrNull(keys.cell('Serves')),
    brand: readBrand(context, {
      colour: keys.cell('Colour'),
      logo: keys.cell('Logo'),
      theme: keys.cell('Theme'),
      letterhead: keys.cell('Letterhead'),
      signInText: keys.cell('Sign-in text'),
    }),
    timeZone: readZone(context, keys.cell('Time zone')),
    languages,
    weekBegins: readWeek(
      context,
      answerOf(context, keys.cell('Week begins'), open(section, 'weekBegins')),
      languages[0]!.tag,
    ),
    defaultLanguage: readDefault(context, cellOrNull(keys.cell('Default language')), languages),
    translations: readTranslations(context, languages),
    tenant: readTenant(context, keys.cell('Tenant')),
    signIn: readSignIn(context, keys.cell('Sign-in')),
    signUp: readSignUp(context, keys.cell('Sign-up')),
    documentFor: keys.cell('Document for'),
    assistants: keys.cell('Assistants'),
    assistantsAsk: cellOrNull(keys.cell('Assistants ask before')),
    accepted: keys.all('Assume').flatMap(cell => splitCell(cell, ',')),
    acceptedWarnings: keys.all('Accept'),
  }
}

type Keys = NamedRow<
  | 'Serves'
  | 'Colour'
  | 'Logo'
  | 'Theme'
  | 'Letterhead'
  | 'Sign-in text'
  | 'Time zone'
  | 'Week begins'
  | 'Languages'
  | 'Default language'
  | 'Tenant'
  | 'Sign-in'
  | 'Sign-up'
  | 'Document for'
  | 'Assistants'
  | 'Assistants ask before'
  | 'Assume'
  | 'Accept'
>

function readTenant(context: Context, written: Cell | null): Tenant | null {
  const cell = answerOf(context, written, open(section, 'tenant'))
  const draft = cell === null ? null : context.entities.find(cell)
  if (cell === null || draft === null) return null
  const { report } = reporter(productCodes, section, context.found)
  const why = draft.builtIn ? 'people belong to it' : draft.partOf !== null ? 'its records are rows of others' : null
  if (why !== null) report('N1120', cell, { entity: draft.name, why })
  return why === null ? { cell, entity: draft.key, field: draft.key } : null
}

function readZone(context: Context, written: Cell | null): Product['timeZone'] {
  const cell = answerOf(context, written, open(section, 'timeZone'))
  if (cell === null) return { name: 'UTC', cell: null }
  if (isZone(cell.text)) return { name: cell.text, cell }
  const zone = zoneMeant(cell.text)
  const { report } = reporter(productCodes, section, context.found)
  const meant = zone === null ? '' : `; did you mean \`${zone}\`?`
  report('N1101', cell, { zone: cell.text, meant }, { fixes: zone === null ? [] : [writeInstead(cell, zone)] })
  return { name: 'UTC', cell }
}

/** Names only: an offset such as `+02:00` knows no summer time. */
function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

function readLanguages(context: Context, written: Cell | null): Product['languages'] {
  const cell = answerOf(context, written, open(section, 'languages'))
  if (cell === null) return [{ tag: 'en', cell: null }]
  const { report } = reporter(productCodes, section, context.found)
  const languages = splitCell(cell, ',').flatMap((written): Language[] => {
    const { text: piece, target: path } = link(written) ?? { text: written, target: null }
    const tag = tagOfLanguage(piece.text)
    if (tag !== null) {
      const catalogue = path === null ? null : readOwnCatalogue(context, tag, path)
      return [{ tag, cell: piece, ...(catalogue !== null && { catalogue }) }]
    }
    const known = [...languageNames().keys()].map(name => name.charAt(0).toUpperCase() + name.slice(1))
    const fixes = writeNearest(piece, known)
    report('N1102', piece, { language: piece.text, meant: didYouMean(piece.text, known) }, { fixes })
    return []
  })
  return languages.length === 0 ? [{ tag: 'en', cell: null }] : languages
}

function readDefault(context: Context, cell: Cell | null, languages: Product['languages']): Language {
  const tag = cell === null ? null : tagOfLanguage(cell.text)
  const found = languages.find(language => language.tag === tag)
  if (cell === null || found !== undefined) return { ...(found ?? languages[0]!), cell }
  const known = languages.map(language => language.cell?.text ?? language.tag)
  const parameters = { language: cell.text, known: listed(known) }
  reporter(productCodes, section, context.found).report('N1113', cell, parameters, { fixes: writeOneOf(cell, known) })
  return languages[0]!
}

const ways = ['e-mail link', 'password', 'single sign-on', 'passkey'] as const

function readSignIn(context: Context, written: Cell | null): Product['signIn'] {
  const cell = answerOf(context, written, open(section, 'signIn'))
  if (cell === null) return []
  const { report } = reporter(productCodes, section, context.found)
  const named = splitCell(cell, ';')
    .flatMap(part => splitCell(part, ','))
    .flatMap((piece): Product['signIn'] => {
      const end = leftOpen(piece)
      if (end !== null)
        return [leaveOpen(context, end.place, open(section, 'signInWay', { way: end.what.text }), end.by)]
      const text = piece.text.toLowerCase()
      const way = ways.find(known => known === text || known.replaceAll('-', '') === text.replaceAll('-', ''))
      if (way !== undefined) return [{ way, cell: piece }]
      if (/saml|two-factor/.test(text)) {
        notYet(context, section, piece, `signing in by ${piece.text}`, 'Write TBD behind it until it is.')
        return []
      }
      report(
        'N1103',
        piece,
        { way: piece.text, meant: didYouMean(piece.text, ways) },
        { fixes: writeNearest(piece, ways) },
      )
      return []
    })
  if (named.length > 0 && named.every(way => specified(way)?.way === 'passkey')) report('N1111', cell, {})
  return named
}

/** `everyone`, or domains of e-mail addresses, and perhaps roles; what else the document must say for it, `checkSignUp` asks. */
function readSignUp(context: Context, written: Cell | null): Product['signUp'] {
  const cell = answerOf(context, written, open(section, 'signUp'))
  if (cell === null) return null
  // Not a whole word alone: `example.as` is a domain.
  const between = /\s+as\s+/i.exec(cell.text)
  const who = between === null ? cell : slice(cell, 0, between.index)
  const as = between === null ? null : slice(cell, between.index + between[0].length)
  if (who.text.toLowerCase() === 'everyone') return { cell, domains: null, as }
  const { report } = reporter(productCodes, section, context.found)
  const domains = splitCell(who, ',').flatMap(piece => {
    const text = piece.text.toLowerCase()
    if (/^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(text)) return [text]
    report('N1109', piece, { text: piece.text })
    return []
  })
  return { cell, domains, as }
}
