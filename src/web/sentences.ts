/** Sentences of the HTTP half that the chrome's words (`ui/words.ts`) do not have. Same rules: English decides the keys. */
import type { Site } from './site.ts'

const english = {
  // screens
  newRecord: 'New {thing}',
  createRecord: 'Create {thing}',
  editRecord: 'Edit {thing}',
  edit: 'Edit',
  delete: 'Delete',
  askStep: '{step} {thing}?',
  askDelete: 'Delete {thing}?',
  deleteIsFinal: 'This cannot be undone.',
  leadsTo: 'It then is {state}.',
  staysSo: 'Its state stays as it is.',
  leadsToEnd: 'It then is {state}, and nothing leads on from there.',
  onlyFrom: 'Not now: only from {states}.',
  onlyWho: 'Not you: {who}.',
  onlyWhen: 'Not now: only when {condition}.',
  onlyWhenEmpty: 'Not now: {field} is empty, and it is needed to decide.',
  onlyRow: 'Not this one: only when {condition}.',
  onlyUnlocked: 'Not in state {state}: it is locked then.',
  noRule: 'Nothing in the document allows it.',
  leftOpen: 'The document leaves open who may, or when.',
  forRoles: 'only for {roles}',
  forSignedIn: 'only for people who are signed in',
  exceptPeople: '{who}, but not for {people}',
  namedIn: 'whoever “{field}” names',
  created: '{thing} created.',
  saved: '{thing} saved.',
  deleted: '{thing} deleted.',
  done: '{step}: done.',
  things: '{things}',
  countOf: '{count} {things}',
  captionAll: '{things}, {count} in all',
  captionSorted: '{things}, sorted by {fields}',
  emptyList: 'No {things} yet.',
  emptyFiltered: 'Nothing matches what is asked for.',
  notUnderstood: 'Part of the address was not understood: {parts}.',
  firstShown: 'The first {count} are shown.',
  descending: '{field}, last first',
  keptForm: 'You were signed out. What you typed is here again; nothing has been saved yet.',
  changedBy: 'Somebody changed this after you opened it. Nothing of yours is lost.',
  reference: 'Start typing a name',
  moreResults: 'More match: type more of the name.',
  any: 'Any',
  unspecifiedScreen: 'What this screen shows is not decided yet',
  unspecifiedText: 'The document says that there will be a screen “{name}” here, and leaves open what it shows.',
  unspecifiedFor: 'The document leaves open who may open it.',
  start: 'Start',
  // activity
  hasCreated: 'created it',
  hasChanged: 'changed it',
  hasDeleted: 'deleted it',
  hasStepped: 'took the step “{step}”',
  hasTimer: 'acted by the timer “{name}”',
  hasMailed: 'sent the mail “{name}”',
  isMailing: 'is sending the mail “{name}”',
  hasNotMailed: 'could not send the mail “{name}”',
  hasCalled: 'called “{name}”',
  isCalling: 'is calling “{name}”',
  hasNotCalled: 'could not call “{name}”',
  delivered: 'delivered',
  deliveredAfter: 'delivered at attempt {count}',
  waiting: 'waiting',
  waitingAfter: 'tried {count} times, will be tried again',
  failed: 'failed after {count} attempts',
  lineOf: 'row {number}',
  rowsWere: '{count} rows',
  // refusals
  wrongOrigin: 'This request came from another site, so nothing was done.',
  formTooOld: 'This form is no longer valid. Open the page again and repeat what you did.',
  keyReused: 'This form was already sent with other answers. Open the page again.',
  rolesOnly: 'This page is for {roles}. You are here as {mine}.',
  rolesNone: 'a visitor without a role',
  signInFailed: 'E-mail and password do not match an account.',
  signInWait: 'Too many attempts. Try again in {seconds} seconds.',
  linkUsed: 'This link has been used, or is too old. Ask for a new one.',
  linkAsk: 'Sign in to {app}?',
  linkGo: 'Sign in',
  linkMailSubject: 'Sign in to {app}',
  linkMailBody:
    'Follow this link to sign in to {app}:\n\n{link}\n\nIt works once and for {minutes} minutes. If you did not ask for it, do nothing.',
  // one's own account
  account: 'Account',
  currentPassword: 'Current password',
  newPassword: 'New password',
  passwordHint: 'At least {min} characters. A few unrelated words are best.',
  currentWrong: 'This is not the current password.',
  passwordSet: 'The password is set. Everywhere else you are signed out.',
  // people and limits
  people: 'People',
  administration: 'Administration',
  name: 'Name',
  email: 'E-mail',
  roles: 'Roles',
  appoint: 'Appoint as {role}',
  withdraw: 'Withdraw {role}',
  newPerson: 'New person',
  addPerson: 'Add person',
  appointed: '{person} is now {role}.',
  withdrawn: '{person} is no longer {role}.',
  limits: 'Limits',
  value: 'Value',
  unit: 'Unit',
  range: 'Range',
  whoMayChange: 'Who may change',
  fixed: 'only the document',
  setLimit: 'Set',
  limitSet: '{name} is now {value}.',
  noValue: 'unspecified',
  clock: 'Clock',
  clockText: 'The time that the application goes by. Moving it forward lets timers fire.',
  clockSet: 'Move the clock',
} as const

type Key = keyof typeof english
type Names<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never
type Rest<K extends Key> = [Names<(typeof english)[K]>] extends [never]
  ? []
  : [parameters: Readonly<Record<Names<(typeof english)[K]>, string | number>>]

/** A sentence in the language of the application. A forgotten parameter does not compile. */
export function say<K extends Key>(site: Pick<Site, 'reader'>, key: K, ...rest: Rest<K>): string {
  const parameters: Readonly<Record<string, string | number>> = rest[0] ?? {}
  const text: string = english[key]
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name]
    return typeof value === 'number' ? site.reader.format.integer(String(value)) : String(value)
  })
}
