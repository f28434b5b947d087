/** What a step, or an edit of many records, asks for: made as the fields of a form are, without the form around them. */
import type { FieldView } from '../../kinds/screens/view-model.ts'
import type { Problem } from '../../run/outcome.ts'
import { type FormData, noClosedRows } from '../../run/read/form.ts'
import { readingAtOnce } from '../request-context.ts'
import type { EntityRoutes } from '../routes.ts'
import type { Building } from '../screens/common.ts'
import { formView, type Search } from '../screens/form.ts'
import { typedOf } from '../screens/typed.ts'
import { choicesOf, standingIn } from './choices.ts'

interface Answering {
  /** What was sent; null: nothing yet. */
  readonly sent: URLSearchParams | null
  readonly problems: readonly Problem[]
  readonly searches: ReadonlyMap<string, Search>
}

/** The controls of these fields, with the values of the record or as they were typed. */
export async function askedFields(
  build: Building,
  { entity }: EntityRoutes,
  keys: readonly string[],
  record: Pick<FormData, 'id' | 'version' | 'values' | 'labels' | 'verdict'>,
  { sent, problems, searches }: Answering,
): Promise<readonly FieldView[]> {
  const { site } = build
  const form: FormData = {
    ...record,
    fields: keys.map(key => ({ key, settable: true, children: null })),
    closedRows: noClosedRows,
    locks: [],
  }
  const typed = sent === null ? null : typedOf(sent, entity, site)
  const context = readingAtOnce(build.context)
  const [choices, { titles: chosen }] = await Promise.all([
    choicesOf(context, entity.key, form, typed),
    standingIn({ ...build, context }, entity.key, form, typed),
  ])
  const { parts } = formView(build, { entity: entity.key, form, typed, problems, choices, searches, chosen })
  return parts.flatMap(part => (part.kind === 'field' ? [part.field] : []))
}
