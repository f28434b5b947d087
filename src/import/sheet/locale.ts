/** How the figures and days of a spreadsheet are written: one way for the whole file. */
import { type Column, readAs } from './sheet.ts'

/** The ways that differ, the first wins where the texts leave it open. */
const ways = ['en-GB', 'en-US', 'de-DE', 'fr-FR', 'es-ES', 'it-IT', 'nl-NL']

export interface Writing {
  readonly locale: string
  /** A day that could be another one, read with the day first. */
  readonly openDay: string | null
}

/** The way in which most of the texts are figures or days. What a workbook knows as such needs no way. */
export function writingOf(columns: readonly Column[]): Writing {
  const texts = columns
    .flatMap(({ cells }) => cells.filter(cell => typeof cell === 'string'))
    .filter(text => /\d\D+\d/.test(text) && text.length < 40)
  const scores = ways.map(way => texts.filter(text => isRead(text, way)).length)
  const locale = ways[scores.indexOf(Math.max(...scores))]!
  const days = texts.filter(text => readAs('date', text, 'en-GB') !== readAs('date', text, 'en-US'))
  const isOpen = locale === 'en-GB' && days.every(text => readAs('date', text, 'en-US') !== null)
  return { locale, openDay: (isOpen ? days[0] : undefined) ?? null }
}

const isRead = (text: string, way: string): boolean =>
  readAs('date', text, way) !== null ||
  readAs('date and time', text, way) !== null ||
  readAs('decimal', text.replace(/[€$£%]/g, '').trim(), way, { precision: 28, scale: 2 }) !== null
