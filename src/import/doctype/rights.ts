/** Permissions and workflows of Frappe as headings 4 and 6 have them. */
import { isName, keyOf } from '../../expression/names.ts'
import type { DraftEntity, DraftGrant, Drafting, DraftWorkflow } from '../draft.ts'
import { administrator } from '../opened.ts'
import { leftOutOfPermission } from './left-out.ts'
import type { DocPermission, DocType, DocWorkflow } from './model.ts'

/** The system manager is the administrator. */
function roleName(role: string): string {
  if (/^(?:System Manager|Administrator)$/.test(role)) return administrator
  const plain = role
    .replace(/[^\p{L}\p{N} ]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const name = plain.charAt(0).toUpperCase() + plain.slice(1)
  return isName(keyOf(name)) && !/^(?:everyone|never|nobody|all)$/i.test(name) ? name : `Role ${name}`.trim()
}

/** One row for each role. Of several rows the widest counts; levels beyond the first are about single fields. */
export function grantsOf(
  drafting: Drafting,
  entity: DraftEntity,
  { name, permissions }: DocType,
): readonly DraftGrant[] {
  const roles = new Map<string, DocPermission[]>()
  for (const permission of permissions) {
    const role = roleName(permission.role)
    for (const verb of leftOutOfPermission(Object.fromEntries([...permission.verbs].map(verb => [verb, true]))))
      drafting.note(entity, `${name}, ${permission.role}`, `\`${verb}\` is no permission here`)
    if (permission.level > 0)
      drafting.note(
        entity,
        `${name}, ${permission.role}`,
        `level ${permission.level} is not carried over: say under heading 6 who sees which fields`,
      )
    else if (/^(?:Guest|All)$/.test(permission.role))
      drafting.note(entity, `${name}, ${permission.role}`, 'is not carried over: say under heading 6 what everyone may')
    else if (role !== administrator) roles.set(role, [...(roles.get(role) ?? []), permission])
  }
  return [...roles].flatMap(([role, all]): DraftGrant[] => {
    const may = (...verbs: readonly string[]): string => {
      const given = all.filter(permission => verbs.some(verb => permission.verbs.has(verb)))
      if (given.length === 0) return 'no'
      return given.every(({ verbs }) => verbs.has('if_owner')) ? '`created_by = me`' : 'yes'
    }
    const flag = (verb: string) => (may(verb) === 'no' ? 'no' : 'yes')
    const create = flag('create')
    if (may('read') === 'no') {
      drafting.note(
        entity,
        `${name}, ${role}`,
        'may nothing here: what may not be read can neither be changed nor taken out',
      )
      return []
    }
    const does = may('write', 'submit', 'cancel') === 'no' ? 'none' : 'all'
    const files = { export: flag('export'), import: create === 'no' ? 'no' : flag('import') }
    return [{ role, see: may('read'), create, change: may('write'), delete: may('delete'), do: does, ...files }]
  })
}

/** Who may take steps at all, the administrator first. */
const takersOf = ({ grants }: DraftEntity): ReadonlySet<string> =>
  new Set([administrator, ...grants.filter(grant => grant.do !== 'none').map(({ role }) => role)])

/** Submitting and cancelling, where no workflow says more. */
export function workflowOf(
  drafting: Drafting,
  entity: DraftEntity,
  type: DocType,
  workflow: DocWorkflow | null,
): DraftWorkflow | null {
  if (workflow !== null) return carried(drafting, entity, type.name, workflow)
  if (!type.isSubmittable) return null
  const takers = takersOf(entity)
  const whoMay = (verb: string) => {
    const those = type.permissions.filter(({ level, verbs }) => level === 0 && verbs.has(verb))
    const roles = those.map(({ role }) => roleName(role)).filter(role => takers.has(role))
    return [...new Set([administrator, ...roles])].join(', ')
  }
  return {
    states: [
      { name: 'Draft', kind: '', locked: false },
      { name: 'Submitted', kind: '', locked: true },
      { name: 'Cancelled', kind: 'end', locked: true },
    ],
    steps: [
      { name: 'submit', from: ['Draft'], to: 'Submitted', who: whoMay('submit') },
      { name: 'cancel', from: ['Submitted'], to: 'Cancelled', who: whoMay('cancel') },
    ],
  }
}

function carried(
  drafting: Drafting,
  entity: DraftEntity,
  name: string,
  { states, steps }: DocWorkflow,
): DraftWorkflow | null {
  const names = new Map(states.map(state => [state.name, stateName(state.name)]))
  if (new Set([...names.values()].map(keyOf)).size < states.length || states.length === 0) {
    drafting.note(entity, `Workflow of ${name}`, 'is not carried over: two of its states would have one name here')
    return null
  }
  const known = takersOf(entity)
  const rows = new Map<
    string,
    { readonly name: string; readonly from: string; readonly to: string; readonly who: Set<string> }
  >()
  for (const { from, action, to, role, condition, bySelf } of steps) {
    const about = `${from}, ${action}`
    const [source, target, step] = [names.get(from), names.get(to), stepName(action)]
    if (source === undefined || target === undefined || source === target || step === null) {
      drafting.note(entity, about, 'is not carried over')
      continue
    }
    if (condition !== '') drafting.note(entity, about, `its condition is not carried over: ${condition}`)
    const row = rows.get(`${step} ${source} ${target}`) ?? {
      name: step,
      from: source,
      to: target,
      who: new Set([administrator]),
    }
    rows.set(`${step} ${source} ${target}`, row)
    if (known.has(roleName(role))) row.who.add(roleName(role))
    else drafting.note(entity, about, `${role} has no permission for ${name}, and does not take it here`)
    if (!bySelf)
      drafting.note(entity, about, 'nobody takes it for a record of their own there: write `except created_by`')
  }
  const all = [...rows.values()]
  const reached = new Set([names.get(states[0]!.name)!])
  for (const state of reached) for (const { from, to } of all) if (from === state) reached.add(to)
  if (reached.size === 1) {
    drafting.note(entity, `Workflow of ${name}`, 'is not carried over: nothing leads out of its first state')
    return null
  }
  for (const { name, editor, sets } of states) {
    if (!reached.has(names.get(name)!)) {
      drafting.note(entity, name, 'is no state here: no step leads there')
      continue
    }
    if (editor !== '' && roleName(editor) !== administrator)
      drafting.note(entity, name, `only ${editor} changes a record in it there: say so under heading 6`)
    if (sets !== '') drafting.note(entity, name, `what it sets is not carried over: ${sets}`)
  }
  return {
    states: states
      .map(({ name, status }) => ({ name: names.get(name)!, locked: status > 0 }))
      .filter(({ name }) => reached.has(name))
      .map(state => ({ ...state, kind: all.some(({ from }) => from === state.name) ? '' : 'end' })),
    steps: all
      .filter(({ from }) => reached.has(from))
      .map(({ name, from, to, who }) => ({ name, from: [from], to, who: [...who].join(', ') })),
  }
}

function stateName(name: string): string {
  const plain = name.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
  return /^\p{L}/u.test(plain) ? plain.charAt(0).toUpperCase() + plain.slice(1) : `State ${plain}`.trim()
}

function stepName(action: string): string | null {
  const name = action
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()
  return isName(keyOf(name)) ? name : null
}
