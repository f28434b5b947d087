/**
 * Who may do what at the loan desk, worked out by a person reading examples/loan-desk/loan-desk.md, and by nothing else: this file
 * imports nothing. Where it and the application disagree, one of them has misread the document.
 */

export const whos = ['visitor', 'Ben', 'Cleo', 'Mia'] as const
export type Who = (typeof whos)[number]

export const states = ['Draft', 'Requested', 'Approved', 'Out', 'Overdue', 'Returned', 'Declined'] as const
export type State = (typeof states)[number]

export interface Situation {
  readonly who: Who
  /** The loan's borrower is whoever asks. */
  readonly own: boolean
  readonly state: State
  /** `out_on` lies after today. */
  readonly future: boolean
  /** A line is damaged. */
  readonly damaged: boolean
  /** `total_value` is above `limits.max_value`, and there is no purpose. */
  readonly dear: boolean
}

/** `absent`: as if there were no such loan; a visitor is asked to sign in. */
export type Answer = 'done' | 'refused' | 'absent'

type Role = 'Borrower' | 'Clerk' | 'Manager'

/** Section 6: everyone signed in is a Borrower; Cleo is the Clerk of the scenario, Mia the Manager. Nobody is an Auditor. */
const rolesOf: Readonly<Record<Who, readonly Role[]>> = {
  visitor: [],
  Ben: ['Borrower'],
  Cleo: ['Borrower', 'Clerk'],
  Mia: ['Borrower', 'Manager'],
}

/** Column See: Borrower `borrower = me`, Clerk yes, Manager yes. */
const roleSees = (role: Role, { own }: Situation): boolean => role !== 'Borrower' || own

/** Column Change: `borrower = me and state = Draft`; `state in (Requested, Approved)`; yes. */
function roleChanges(role: Role, situation: Situation): boolean {
  if (!roleSees(role, situation)) return false
  const { own, state } = situation
  if (role === 'Borrower') return own && state === 'Draft'
  return role === 'Manager' || state === 'Requested' || state === 'Approved'
}

export const sees = (situation: Situation): boolean => rolesOf[situation.who].some(role => roleSees(role, situation))

/** The field table: `total_value` is for Clerk, Manager and Auditor. */
export const seesTotal = (situation: Situation): boolean =>
  rolesOf[situation.who].some(role => role !== 'Borrower' && roleSees(role, situation))

/**
 * What people fill in: section 3 leaves these open. All others are numbered, computed, copied, read-only after create, set by steps or
 * calls, built in, or not there. The field table lets only Borrowers change `purpose`.
 */
const enteredByHand: ReadonlySet<string> = new Set([
  'out_on',
  'due_back',
  'purpose',
  'lines',
  'lines.item',
  'lines.damaged',
])

export function change(field: string, situation: Situation): Answer {
  if (!sees(situation)) return 'absent'
  const able = rolesOf[situation.who].filter(role => roleChanges(role, situation))
  const isAllowed = field === 'purpose' ? able.includes('Borrower') : able.length > 0
  return isAllowed && enteredByHand.has(field) ? 'done' : 'refused'
}

/** On create `borrower` may still be named. */
export function create(field: string, who: Who): Answer {
  if (who === 'visitor') return 'absent'
  return enteredByHand.has(field) || field === 'borrower' ? 'done' : 'refused'
}

/** Column Delete: `borrower = me and state = Draft` for Borrowers, no for everybody else. */
export function remove(situation: Situation): Answer {
  if (!sees(situation)) return 'absent'
  return situation.own && situation.state === 'Draft' ? 'done' : 'refused'
}

interface Step {
  readonly from: readonly State[]
  readonly to: State
  /** Column Who of section 4, narrowed by Do of section 6 (Manager: all). */
  readonly by: readonly Role[]
  readonly when: (situation: Situation) => boolean
}

const always = () => true

export const steps: Readonly<Record<string, Step>> = {
  // V-4 on submit: total_value <= limits.max_value or purpose is not empty.
  submit: { from: ['Draft'], to: 'Requested', by: ['Borrower'], when: ({ own, dear }) => own && !dear },
  approve: { from: ['Requested'], to: 'Approved', by: ['Clerk'], when: ({ own }) => !own },
  decline: { from: ['Requested'], to: 'Declined', by: ['Clerk', 'Manager'], when: always },
  hand_out: { from: ['Approved'], to: 'Out', by: ['Clerk'], when: ({ future }) => !future },
  // clerk_damage_limit is TBD, so `total_value <= limits.clerk_damage_limit` is unknown: closed as soon as something is damaged.
  take_back: { from: ['Out', 'Overdue'], to: 'Returned', by: ['Clerk'], when: ({ damaged }) => !damaged },
}

export function takeStep(name: string, situation: Situation): Answer {
  if (!sees(situation)) return 'absent'
  const step = Object.hasOwn(steps, name) ? steps[name] : undefined
  // There is no such step: nothing is there to be refused.
  if (step === undefined) return 'absent'
  const isAble = rolesOf[situation.who].some(role => step.by.includes(role) && roleSees(role, situation))
  return isAble && step.from.includes(situation.state) && step.when(situation) ? 'done' : 'refused'
}

/** Section 6: Clerks and Managers are appointed by Manager; nobody appoints Borrowers, Auditors or others. */
export const appoints = (who: Who, role: string): boolean => who === 'Mia' && (role === 'Clerk' || role === 'Manager')

/** Section 9: value in its range, and Manager may change it; `max_value` is fixed. */
export function setsLimit(who: Who, limit: string, value: string): boolean {
  const ranges: Readonly<Record<string, readonly [number, number]>> = {
    max_loan_days: [1, 60],
    max_items: [1, 20],
    clerk_damage_limit: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  }
  const range = ranges[limit]
  return who === 'Mia' && range !== undefined && Number(value) >= range[0] && Number(value) <= range[1]
}
