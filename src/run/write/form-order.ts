/** Problems in the order in which a form has what they are about. */
import type { App } from '../../headings/app.ts'
import type { Problem } from '../outcome.ts'
import { childLists } from './draft-record.ts'

const isUnknown = ({ code }: Pick<Problem, 'code'>): boolean => code === 'NF-UNKNOWN-FIELD'

/** Names of no field that are told: one is enough to refuse, and whoever sends thousands need not hear of each. */
const mostUnknown = 20

/**
 * In the order of the form: the record as a whole first, then field by field, child rows where their list stands; nothing of a field twice.
 * Fields that are not there, or only not for this person, stand at the end, by name: which of them is which tells no order.
 */
export function inFormOrder(app: App, entity: string, problems: readonly Problem[]): readonly Problem[] {
  const rank = (of: string, key: string) => {
    const index = app.entities.get(of)?.fields.findIndex(field => field.key === key) ?? -1
    return index === -1 ? Number.MAX_SAFE_INTEGER : index
  }
  const placeIn = (of: string, [key = '', row = '-1', ...rest]: readonly string[], code: string): readonly number[] => {
    const list = childLists(app, of).find(one => one.field === key)
    if (list === undefined || rest.length === 0)
      return [isUnknown({ code }) ? Number.MAX_SAFE_INTEGER : rank(of, key), Number(row)]
    return [rank(of, key), Number(row), ...placeIn(list.entity, rest, code)]
  }
  const place = ({ field, code }: Problem) => (field === null ? [-1] : placeIn(entity, field.split('.'), code))
  const first = new Map<string, { readonly problem: Problem; readonly at: readonly number[] }>()
  for (const problem of problems) {
    const { field, code, message } = problem
    const key = JSON.stringify([field, code, message])
    if (!first.has(key)) first.set(key, { problem, at: place(problem) })
  }
  const inOrder = [...first.values()].sort(({ at: left, problem: one }, { at: right, problem: other }) => {
    for (let index = 0; index < Math.max(left.length, right.length); index++) {
      const difference = (left[index] ?? -1) - (right[index] ?? -1)
      if (difference !== 0) return difference
    }
    if (!isUnknown(one) || !isUnknown(other)) return 0
    return one.field! < other.field! ? -1 : 1
  })
  let unknown = 0
  return inOrder.flatMap(({ problem }) => (isUnknown(problem) && ++unknown > mostUnknown ? [] : [problem]))
}
