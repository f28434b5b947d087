/** What files of Frappe's DocTypes hold, as far as it says something of an application. */

export interface DocType {
  readonly name: string
  readonly description: string
  /** Its records are rows of others. */
  readonly isTable: boolean
  readonly isSubmittable: boolean
  readonly autoname: string
  readonly titleField: string
  readonly fields: readonly DocField[]
  readonly permissions: readonly DocPermission[]
  /** All that is said of it, by the names of Frappe. */
  readonly says: Json
}

export interface DocField {
  readonly name: string
  readonly label: string
  readonly type: string
  readonly options: string
  readonly default: string
  readonly description: string
  readonly length: number
  readonly precision: string
  /** What is said of it beyond its type, by the names of Frappe: `reqd`, `unique`, `hidden`, … */
  readonly says: Json
}

/** Verbs by the names of Frappe: `read`, `write`, `if_owner`, … */
export interface DocPermission {
  readonly role: string
  readonly level: number
  readonly verbs: ReadonlySet<string>
}

export interface DocWorkflow {
  readonly of: string
  readonly states: readonly {
    readonly name: string
    readonly status: number
    /** The role that may change records in it. */
    readonly editor: string
    /** `status = Done`: what being there sets. */
    readonly sets: string
  }[]
  readonly steps: readonly {
    readonly from: string
    readonly action: string
    readonly to: string
    readonly role: string
    readonly condition: string
    readonly bySelf: boolean
  }[]
}

export interface DocTypes {
  readonly types: readonly DocType[]
  readonly workflows: readonly DocWorkflow[]
  /** What else the files hold, by its kind: so many of it. */
  readonly others: ReadonlyMap<string, number>
}

export type Json = Readonly<Record<string, unknown>>

const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
const isOn = (value: unknown): boolean => value === 1 || value === true || value === '1'
const objects = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter(one => typeof one === 'object' && one !== null && !Array.isArray(one)) : []

/** Of what was parsed of a file: one object, or a list of them, as fixtures have it. Others say nothing. */
export function docTypesIn(files: readonly unknown[]): DocTypes {
  const all = files.flatMap(file => objects(Array.isArray(file) ? file : [file]))
  const of = (doctype: string) =>
    all.filter(one => one.doctype === doctype && text(one.doctype === 'Workflow' ? one.document_type : one.name) !== '')
  return {
    types: of('DocType').map(typeOf),
    workflows: of('Workflow')
      .filter(one => one.is_active !== 0)
      .map(workflowOf),
    others: countsOf(
      all
        .filter(one => one.doctype !== 'DocType' && (one.doctype !== 'Workflow' || one.is_active === 0))
        .map(one => (one.doctype === 'Workflow' ? 'Workflow that is not active' : text(one.doctype))),
    ),
  }
}

/** Of what has no kind it is not said that it belongs to Frappe. */
function countsOf(kinds: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const kind of kinds) if (kind !== '') counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

const typeOf = (one: Json): DocType => ({
  name: text(one.name),
  description: text(one.description),
  isTable: isOn(one.istable),
  isSubmittable: isOn(one.is_submittable),
  autoname: text(one.autoname),
  titleField: text(one.title_field),
  fields: inOrder(one)
    .filter(field => text(field.fieldname) !== '')
    .map(fieldOf),
  permissions: objects(one.permissions).map(({ role, permlevel, ...verbs }) => ({
    role: text(role),
    level: Number(permlevel ?? 0),
    verbs: new Set(Object.keys(verbs).filter(verb => isOn(verbs[verb]))),
  })),
  says: one,
})

/** As `field_order` has them, where it is there. */
function inOrder({ fields, field_order: order }: Json): readonly Json[] {
  const all = objects(fields)
  if (!Array.isArray(order)) return all
  const place = ({ fieldname }: Json) => (order.includes(fieldname) ? order.indexOf(fieldname) : order.length)
  return all.toSorted((one, other) => place(one) - place(other))
}

const fieldOf = (one: Json): DocField => ({
  name: text(one.fieldname),
  label: text(one.label),
  type: text(one.fieldtype),
  options: text(one.options),
  default: text(one.default),
  description: text(one.description),
  length: Number(one.length ?? 0) || 0,
  precision: text(one.precision),
  says: one,
})

export const says = ({ says }: DocField, name: string): boolean => isOn(says[name])

export const saysText = ({ says }: DocField, name: string): string => text(says[name])

const workflowOf = (one: Json): DocWorkflow => ({
  of: text(one.document_type),
  states: objects(one.states).map(({ state, doc_status: status, allow_edit: editor, update_field, update_value }) => ({
    name: text(state),
    status: Number(status ?? 0),
    editor: text(editor),
    sets: text(update_field) === '' ? '' : `${text(update_field)} = ${text(update_value)}`,
  })),
  steps: objects(one.transitions).map(step => ({
    from: text(step.state),
    action: text(step.action),
    to: text(step.next_state),
    role: text(step.allowed),
    condition: text(step.condition),
    bySelf: step.allow_self_approval !== 0,
  })),
})
