/** A condition of the document in the words of its screens, where it says something simple; else as it is written. */
import type { Cell } from '../../document/source.ts'
import type { Checked, Path } from '../../expression/checked.ts'
import type { Expression } from '../../expression/expression.ts'
import { said } from '../../headings/said.ts'
import { say } from '../sentences.ts'
import { type Face, faceOf, type Site } from '../site.ts'
import { textOf } from './values.ts'

/** `cell`: that of a `When` of the entity's steps, or of a grant. */
export function conditionText(site: Site, entity: string, cell: Cell): string {
  const found = expressionsOf(site, entity).find(expression => expression.cell.text === cell.text)
  return (found === undefined ? null : spoken(site, entity, found.root)) ?? cell.text
}

function expressionsOf({ app }: Site, entity: string): readonly Expression[] {
  const steps = app.workflows.get(entity)?.transitions ?? []
  const rows = app.access.get(entity)?.rows ?? []
  return [
    ...steps.flatMap(({ when }) => (when === null ? [] : (said(when) ?? []))),
    ...rows.flatMap(row =>
      [row.see, row.create, row.change, row.delete].flatMap(grant => {
        const written = said(grant)
        return written?.kind === 'when' ? [written.expression] : []
      }),
    ),
  ]
}

function spoken(site: Site, entity: string, node: Checked): string | null {
  const { format } = site.reader
  if (node.op === 'and' || node.op === 'or') {
    // Both in one sentence can be read in two ways.
    if (node.parts.some(({ op }) => op === 'and' || op === 'or')) return null
    const parts = node.parts.flatMap(part => spoken(site, entity, part) ?? [])
    return parts.length < node.parts.length ? null : node.op === 'and' ? format.allOf(parts) : format.anyOf(parts)
  }
  if (node.op === 'empty') return named(site, entity, node.of, field => say(site, 'when.empty', { field }))
  if (node.op === 'not' && node.of.op === 'empty')
    return named(site, entity, node.of.of, field => say(site, 'when.filled', { field }))
  if (node.op === 'in')
    return told(site, entity, node.of, node.list, (field, value) => say(site, 'when.is', { field, value }))
  if (node.op === 'same' || (node.op === 'compare' && node.sign === '='))
    return told(site, entity, node.left, [node.right], (field, value) =>
      node.right.op === 'me' ? say(site, 'when.me', { field }) : say(site, 'when.is', { field, value }),
    )
  if (node.op === 'compare' && node.sign === '!=')
    return told(site, entity, node.left, [node.right], (field, value) =>
      node.right.op === 'me' ? say(site, 'when.notMe', { field }) : say(site, 'when.not', { field, value }),
    )
  return null
}

function named(site: Site, entity: string, node: Checked, sentence: (field: string) => string): string | null {
  const face = node.op === 'field' ? faceAt(site, entity, node.path) : null
  return face === null ? null : sentence(face.label)
}

/** A field and the values that it is compared with. */
function told(
  site: Site,
  entity: string,
  left: Checked,
  values: readonly Checked[],
  sentence: (field: string, value: string) => string,
): string | null {
  const face = left.op === 'field' ? faceAt(site, entity, left.path) : null
  if (face === null) return null
  const texts = values.flatMap(value =>
    value.op === 'me' ? [''] : value.op === 'literal' ? [textOf(site, entity, face, value.value)] : [],
  )
  return texts.length < values.length ? null : sentence(face.label, site.reader.format.anyOf(texts))
}

/** Of the record itself: what lies further away has no short name. */
const faceAt = ({ app }: Site, entity: string, { base, steps: [step, ...others] }: Path): Face | null =>
  base === 'own' && step !== undefined && others.length === 0 && step.entity === entity
    ? faceOf(app, entity, step.field)
    : null
