/** Mails and settings of heading 7 into the model. */
import { after, codeless, slice, splitAt } from '../../document/cell.ts'
import { reporter } from '../../document/diagnostic.ts'
import { writeInstead } from '../../document/fix.ts'
import { didYouMean } from '../../document/nearest.ts'
import { nothing } from '../../document/nothing.ts'
import type { Cell } from '../../document/source.ts'
import type { Expression, Template, TemplatePart } from '../../expression/expression.ts'
import { isName } from '../../expression/names.ts'
import type { Product } from '../1-product/model.ts'
import { languageCalled } from '../1-product/tags.ts'
import { findApproval } from '../4-states/declare.ts'
import { linkedEntities } from '../6-permissions/links.ts'
import type { Role } from '../6-permissions/model.ts'
import { type Context, cellOrNull, isPeople, listed, readAt, readList, readSpecified, readTextAt } from '../context.ts'
import { open, type Use, use } from '../gaps/gap.ts'
import { bothPlaces, evened, misspelt, names, writeOneOf } from '../names.ts'
import { isUnspecified } from '../specified.ts'
import { callCodes } from './codes.ts'
import type { MailDraft, SettingRow } from './declare.ts'
import { linkMark, type Mail, type Recipient, type Setting } from './model.ts'
import { readYes } from './quiet.ts'
import { onlyEntity } from './read.ts'

const section = 7

/** Mails by their key. */
export function readMails(
  context: Context,
  roles: ReadonlyMap<string, Role>,
  product: Product,
): ReadonlyMap<string, Mail> {
  const linked = new Set(linkedEntities({ roles }))
  const read = new Map<string, Mail>()
  for (const draft of context.mails.all.values()) read.set(draft.key, readMail(context, draft, linked, product))
  return read
}

/** `{link}` of a record that has links; a field of that name is meant where there is one. */
function readBody(context: Context, cell: Cell, entity: string, use: Use): Template | null {
  const holes = context.schema.get(entity)?.fields.has('link') ? [] : [...cell.text.matchAll(/(?<!\{)\{link\}/g)]
  const parts: TemplatePart[] = []
  let at = 0
  for (const hole of [...holes, null]) {
    const piece = readTextAt(context, slice(cell, at, hole?.index), { section, entity }, use)
    if (piece === null) return null
    parts.push(...piece.parts, ...(hole === null ? [] : [{ kind: 'text', text: linkMark } as const]))
    at = hole === null ? at : hole.index + hole[0].length
  }
  return { cell, parts }
}

function readMail(
  context: Context,
  { key, cell, row, fence, translated, usedBy }: MailDraft,
  linked: ReadonlySet<string>,
  { translations, languages }: Product,
): Mail {
  const { report } = reporter(callCodes, section, context.found)
  const entity = onlyEntity(context, `the mail ${key}`, usedBy)
  // A mail that nothing sends has no record: its texts cannot be read, and that nothing sends it is reported.
  const unread = entity === null
  const text = (written: Cell, use: Use) =>
    unread ? { cell: written, parts: [] } : readTextAt(context, written, { section, entity }, use)
  const subjectOf = (written: Cell) => text(written, use('mailSubject', { mail: key }))
  const bodyOf = (written: Cell) => {
    const lacks = use('mailBody', { mail: key })
    return entity !== null && linked.has(entity) ? readBody(context, written, entity, lacks) : text(written, lacks)
  }
  const subject = row.cell('Subject')!
  const body = fence ?? row.cell('Body')
  const own = {
    subject: readSpecified(context, subject, open(section, 'mailSubject', { mail: key }), subjectOf),
    body:
      body === null || nothing(body) === 'none' || body.text === ''
        ? null
        : readSpecified(context, body, open(section, 'mailBody', { mail: key }), bodyOf),
  }
  checkLanguages(context, translated, translations)
  const to = readRecipients(context, row.cell('To')!, key, entity)
  const optional = readYes(context, row.cell('Optional'), 'Optional')
  const hasNoAccount = !isUnspecified(to) && to.length > 0 && to.every(({ kind }) => kind === 'address')
  if (optional && hasNoAccount) report('N1748', row.cell('Optional')!, { mail: key })
  const others = [...translations].flatMap(([tag, texts]) => {
    const words = texts.get(subject.text)?.words
    const long = translated.get(tag)?.body ?? texts.get(body?.text ?? '')?.words
    if (words === undefined && long === undefined) return []
    const other = {
      subject: (words && subjectOf(words)) ?? own.subject,
      body: (long && bodyOf(long)) ?? own.body,
    }
    return [[tag, other] as const]
  })
  return {
    key,
    cell,
    entity,
    to,
    ...own,
    translated: new Map(others),
    urgent: readYes(context, row.cell('Urgent'), 'Urgent'),
    optional,
    language: unread ? null : readLanguage(context, cellOrNull(row.cell('Language')), key, entity, languages),
  }
}

/** A text, or a choice with some of the languages of heading 1. */
function readLanguage(
  context: Context,
  cell: Cell | null,
  mail: string,
  entity: string,
  languages: Product['languages'],
): Mail['language'] {
  if (cell === null || nothing(cell) === 'none') return null
  const expression = readAt(context, cell, { section, entity }, null, use('mailLanguage', { mail }))
  if (expression === null || expression.type.kind === 'error') return expression
  const { type } = expression
  const tags = languages.map(({ tag }) => tag)
  const wrong = (why: string) => {
    const known = languages.map(one => one.cell?.text ?? one.tag).join(', ')
    const { report } = reporter(callCodes, section, context.found)
    report('N1741', cell, { text: cell.text, why, languages: known })
    return null
  }
  if (type.kind === 'choice')
    return type.options.some(option => languageCalled(tags, option) !== null)
      ? expression
      : wrong('none of its choices is a language of heading 1')
  return type.kind === 'text' ? expression : wrong(`it is a value of type ${type.kind}`)
}

/** A body in a language that heading 1 does not list, or lists first, is for nobody. */
function checkLanguages(
  context: Context,
  translated: MailDraft['translated'],
  translations: Product['translations'],
): void {
  const { report } = reporter(callCodes, section, context.found)
  const others = listed(translations.keys())
  for (const [tag, { about }] of translated)
    if (!translations.has(tag))
      report('N1732', about, { why: `mails are translated into the other languages of heading 1: ${others}` })
}

function readRecipients(context: Context, cell: Cell, mail: string, entity: string | null): Mail['to'] {
  const { report } = reporter(callCodes, section, context.found)
  if (nothing(cell) === 'none') {
    report('N1712', cell, { mail })
    return []
  }
  const left = open(section, 'mailTo', { mail })
  return readSpecified(context, cell, left, written =>
    readList(context, written, ',', left).flatMap(piece => readRecipient(context, piece, mail, entity) ?? []),
  )
}

/** A role (with `everyone in` before it or not), `waiting for` an approval, an expression that names a person, or the path of an e-mail field. */
function readRecipient(context: Context, cell: Cell, mail: string, entity: string | null): Recipient | null {
  const awaited = after(cell, 'waiting for')
  if (awaited !== null) {
    const approval = entity === null ? null : findApproval(context, entity, awaited)
    return approval === null ? null : { kind: 'awaited', approval: approval.key, cell }
  }
  const named = after(cell, 'everyone in')
  if (named !== null || context.roles.all.has(evened(cell.text)) || /^[A-Z]/.test(cell.text))
    return readHolders(context, cell, named ?? cell, mail, entity)
  const begin = /\sin\s/.test(cell.text) ? misspelt(cell, ['everyone']) : null
  if (begin !== null) {
    const { report } = reporter(callCodes, section, context.found)
    report('N1713', cell, { found: `\`${cell.text}\`` }, { fixes: [writeInstead(begin.begin, begin.meant)] })
    return null
  }
  if (entity === null) return null
  const expression = readAt(context, cell, { section, entity }, null, use('mailTo', { mail }))
  if (expression === null) return null
  const { type } = expression
  if (type.kind === 'error' || isPeople(type)) return { kind: 'person', expression, cell }
  if (type.kind === 'text' && isAddress(context, expression)) return { kind: 'address', expression, cell }
  const found =
    type.kind === 'reference' ? `a ${context.schema.get(type.entity)?.name}` : `a value of type ${type.kind}`
  reporter(callCodes, section, context.found).report('N1713', cell, { found })
  return null
}

/** `Clerk`, `Clerk where department = this.department`, `Person where on_duty`. */
function readHolders(context: Context, cell: Cell, named: Cell, mail: string, entity: string | null): Recipient | null {
  const plain = codeless(named)
  const parts = splitAt(plain, 'where')
  const name = parts?.before ?? plain
  const isAnybody = parts !== null && name.text === 'Person' && !context.roles.all.has(name.text)
  const role = isAnybody ? null : context.roles.find(name)
  if (role !== null) context.usedRoles.add(role.name)
  else if (!isAnybody) return null
  if (parts === null) return { kind: 'role', role: role!.name, where: null, cell }
  if (entity === null) return null
  const place = { section, entity: 'person', about: entity }
  const where = readAt(context, parts.after, place, { kind: 'yes/no' }, use('mailTo', { mail }))
  return where === null ? null : { kind: 'role', role: role?.name ?? null, where, cell }
}

/** Whether a path leads to a field of type e-mail. */
function isAddress({ typed }: Context, { root }: Expression): boolean {
  const last = root.op === 'field' ? root.path.steps.at(-1) : undefined
  return last !== undefined && typed.get(last.entity)?.fields.get(last.field)?.kind.name === 'e-mail'
}

const settingTypes = ['text', 'link', 'secret']

/** Settings that stand in a table, then those that are only used, in the order of their first use. */
export function readSettings(context: Context, rows: readonly SettingRow[]): ReadonlyMap<string, Setting> {
  const { report } = reporter(callCodes, section, context.found)
  const known = names<Setting>(context.found, {
    twice: (cell, first) => report('N1715', cell, { setting: cell.text }, bothPlaces(cell, first)),
    unknown: () => undefined,
  })
  for (const row of rows) {
    const cell = row.cell('Setting')!
    const type = cellOrNull(row.cell('Type'))
    if (cell.text === '') continue
    if (type !== null && nothing(type) === null && !settingTypes.includes(type.text.toLowerCase()))
      report(
        'N1721',
        type,
        { type: type.text, meant: didYouMean(type.text, settingTypes) },
        { fixes: writeOneOf(type, settingTypes) },
      )
    const secret = /^secret$/i.test(type?.text ?? '') || /^yes$/i.test(row.cell('Secret')?.text ?? '')
    known.declare(cell, cell.text, { key: cell.text, variable: cell.text.toUpperCase(), cell, secret })
  }
  const all = new Map(known.all)
  for (const { expression } of context.expressions) {
    for (const read of expression.reads) {
      const key = read.startsWith('settings.') ? read.slice('settings.'.length) : ''
      if (isName(key) && !all.has(key))
        all.set(key, { key, variable: key.toUpperCase(), cell: expression.cell, secret: false })
    }
  }
  return all
}
