/** Whether a text is what a template of the document says, of a record. How values are shown is left open, but for texts. */
import { NOT_LOADED } from '../expression/evaluate.ts'
import type { Template, TemplatePart } from '../expression/expression.ts'
import { type Asked, worth } from './judge.ts'

/** The same of any record, for anybody. */
export const hasItsWords = (template: Template, text: string): boolean =>
  new RegExp(`^${template.parts.map(part => (part.kind === 'text' ? literal(part.text) : '.*?')).join('')}$`, 's').test(
    evenedIn(text),
  )

/** `isWhole`: everything that is known is told; else whoever reads it may not be shown all of it. */
export function saysIt(template: Template, text: string, environment: Asked, isWhole: boolean): boolean {
  const holes = [...template.cell.text.matchAll(/\{([^{}]*)\}/g)].map(([, hole]) => hole!)
  const pattern = template.parts
    .map(part => patternOf(part, part.kind === 'text' ? '' : (holes.shift() ?? ''), environment, isWhole))
    .join('')
  return new RegExp(`^${pattern}$`, 's').test(evenedIn(text))
}

/** `hole`: what stands in its braces. */
function patternOf(part: TemplatePart, hole: string, environment: Asked, isWhole: boolean): string {
  if (part.kind === 'text') return literal(part.text)
  if (part.kind === 'plural') return '.+?'
  const value = worth({ ...part.expression, said: hole.replace(/:\w+$/, '') }, environment)
  if (value === NOT_LOADED || !isWhole) return '.*?'
  if (value === null || value === '') return ''
  return typeof value === 'string' && part.expression.type.kind === 'text' ? literal(value) : '.+?'
}

/** Lines may be broken elsewhere. */
const evenedIn = (text: string): string => text.replace(/\s+/g, ' ')

const literal = (text: string): string => evenedIn(text).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
