/** Whether a text is what a template of the document says, of a record. How lengths of time, files and several are shown is left open. */
import { isFixed, withoutCode } from '../expression/currency.ts'
import { NOT_LOADED } from '../expression/evaluate.ts'
import type { Template, TemplatePart } from '../expression/expression.ts'
import type { Type } from '../expression/type.ts'
import { type Asked, currencyIn, worth } from './judge.ts'

/** The same of any record, for anybody, and of several templates, one after the other. */
export const hasItsWords = (templates: readonly Template[], text: string): boolean => {
  const patterns = templates.map(({ parts }) =>
    parts.map(part => (part.kind === 'text' ? literal(part.text) : '.*?')).join(''),
  )
  return new RegExp(`^${patterns.join(' ')}$`, 's').test(evenedIn(text))
}

/** Whether it stands somewhere in a text. */
export const standsIn = (template: Template, text: string, environment: Asked): boolean =>
  new RegExp(wholePattern(template, environment, true), 's').test(evenedIn(text))

/** `isWhole`: everything that is known is told; else whoever reads it may not be shown all of it. */
export function saysIt(template: Template, text: string, environment: Asked, isWhole: boolean): boolean {
  return new RegExp(`^${wholePattern(template, environment, isWhole)}$`, 's').test(evenedIn(text))
}

function wholePattern({ cell, parts }: Template, environment: Asked, isWhole: boolean): string {
  const holes = [...cell.text.matchAll(/\{([^{}]*)\}/g)].map(([, hole]) => hole!)
  const patternAt = (part: TemplatePart) =>
    patternOf(part, part.kind === 'text' ? '' : (holes.shift() ?? ''), environment, isWhole)
  return parts.map(patternAt).join('')
}

/** `hole`: what stands in its braces. */
function patternOf(part: TemplatePart, hole: string, environment: Asked, isWhole: boolean): string {
  if (part.kind === 'text') return literal(part.text)
  if (part.kind === 'plural') return '.+?'
  const value = worth({ ...part.expression, said: hole.replace(/:\w+$/, '') }, environment)
  if (value === NOT_LOADED || !isWhole) return '.*?'
  if (value === null || value === '') return ''
  if (typeof value !== 'string' || part.format !== null) return '.+?'
  const code = currencyIn(part.expression, environment)
  return shownAs(code === null ? value : `${withoutCode(value)} ${code}`, part.expression.type, environment)
}

/** As people of the document's language read it. */
function shownAs(value: string, type: Type, { app, about }: Asked): string {
  const language = app.language === 'en' ? 'en-GB' : app.language
  switch (type.kind) {
    case 'text':
      return literal(value)
    case 'date':
      return literal(
        new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(value)),
      )
    case 'money': {
      const [amount = '', code = ''] = value.split(' ')
      const currency = isFixed(type) ? type.currency : code
      if (currency === '') return literal(new Intl.NumberFormat(language).format(amount as `${number}`))
      const style = { style: 'currency', currency } as const
      const { minimumFractionDigits = 0 } = new Intl.NumberFormat(language, style).resolvedOptions()
      const decimals = amount.split('.')[1]?.replace(/0+$/, '').length ?? 0
      const digits = { maximumFractionDigits: Math.max(minimumFractionDigits, decimals) }
      return literal(new Intl.NumberFormat(language, { ...style, ...digits }).format(amount as `${number}`))
    }
    case 'reference': {
      const titles = app.entities.get(type.entity)!.title
      const title = titles.length === 1 ? about.record(type.entity, value)?.[titles[0]!] : undefined
      return typeof title === 'string' ? literal(title) : '.+?'
    }
    default:
      return '.+?'
  }
}

/** Lines may be broken elsewhere. */
const evenedIn = (text: string): string => text.replace(/\s+/g, ' ')

export const literal = (text: string): string => evenedIn(text).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
