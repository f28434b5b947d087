/** Drafts of forms over HTTP: kept by a button or by a script after a pause, offered when the form is opened again, and thrown away. */
import type { App } from '../../headings/app.ts'
import type { DraftView } from '../../kinds/screens/form/view-model.ts'
import type { Hidden } from '../../kinds/screens/view-model.ts'
import { dateIn } from '../../run/clock.ts'
import { isSealed } from '../../run/names.ts'
import { begunForOther } from '../../run/read/begun-for.ts'
import type { FormData } from '../../run/read/form.ts'
import type { FormField } from '../../run/read/presets.ts'
import {
  type Draft,
  type DraftOf,
  discardDraft,
  draftEnd,
  keepDraft,
  type Pairs,
  readDraft,
} from '../../run/write/drafts.ts'
import { flashCookie } from '../pages.tsx'
import { isSignedIn, type RequestContext } from '../request-context.ts'
import { type HttpResponse, json, seeOther } from '../response.ts'
import type { Building } from '../screens/common.ts'
import { continueHref, continueName } from '../screens/drafts.ts'
import { baseNames, begunName } from '../screens/form.ts'
import { readWas, type Typed, writeWas } from '../screens/typed.ts'
import { say } from '../sentences.ts'
import type { Site } from '../site.ts'
import { formKey } from '../write.ts'

/** A submit: `draft` by a button, `auto` by a script. */
const keepName = '_keep'
/** In an address that a form is sent to: its draft goes. */
const discardName = 'discard'
/** What stands in the form is, or becomes, its draft: saving it takes the draft away. */
const ownName = '_draft'

/** Visitors have no drafts: nobody could tell whose they are. Whoever acts as somebody does not get theirs. */
export function draftOf({ request, path }: RequestContext): DraftOf | null {
  const person = request.actor.id
  return person === null || request.by !== undefined ? null : { person, form: path }
}

export const isOwn = (form: URLSearchParams): boolean => form.has(ownName)

export const draftInputs = (form: URLSearchParams): readonly Hidden[] =>
  isOwn(form) ? [{ name: ownName, value: 'own' }] : []

/** What a draft is made of: fields, and what they were compared with. Secrets are typed again. */
export const draftPairs = (app: App, entity: string, form: URLSearchParams): Pairs =>
  [...form].filter(([name]) => (!name.startsWith('_') && !isSealed(app, entity, name)) || baseNames.includes(name))

export async function draftAt({ runtime, request, query }: RequestContext, of: DraftOf | null): Promise<Draft | null> {
  return of === null || !query.has(continueName) ? null : readDraft(runtime.store, of, request.now)
}

/** Null: the form was not sent to be kept, or there is too much in it to keep (`tooLarge`). */
export async function keptAnswer(
  context: RequestContext,
  form: URLSearchParams,
  of: DraftOf,
  { pairs, step, back }: { readonly pairs: Pairs; readonly step: number; readonly back: string },
): Promise<HttpResponse | 'too large'> {
  const { runtime, request, site, web } = context
  const outcome = await keepDraft(runtime.store, request, of, { pairs, step, once: formKey(context, form, null) })
  if (form.get(keepName) === 'auto')
    return outcome === 'kept' ? json({ status: keptAt(site, request.now) }) : json({}, outcome === 'saved' ? 409 : 413)
  if (outcome === 'too large') return outcome
  const until = site.reader.format.longDate(dateIn(draftEnd(request), request.zone))
  return seeOther(back, [flashCookie(web, say(site, 'draftKept', { until }))])
}

export const wantsKeeping = (form: URLSearchParams): boolean => form.has(keepName)

/** Null: the form was sent for something else. */
export async function discarded(context: RequestContext, of: DraftOf): Promise<HttpResponse | null> {
  const { runtime, web, site, path, query } = context
  if (!query.has(discardName)) return null
  await discardDraft(runtime.store, of)
  return seeOther(path, [flashCookie(web, say(site, 'draftDiscarded'))])
}

/** The draft as a form that was sent, with only what this person may set by now. */
export function draftForm({ pairs }: Draft, fields: readonly FormField[]): URLSearchParams {
  const form = new URLSearchParams(pairs.filter(([name]) => isLetIn(fields, name)).map(([name, text]) => [name, text]))
  const was = form.get('_was')
  if (was !== null) form.set('_was', writeWas(within(readWas(was), fields)))
  form.set(ownName, 'own')
  return form
}

/** What a form was begun with is another one by now: says so, and lets it be saved for that one the next time. Null: it is the same. */
export function begunForOthers({ site }: RequestContext, { begunFor }: FormData, form: URLSearchParams): string | null {
  const others = begunForOther(form.get(begunName), begunFor ?? null)
  if (others.length === 0) return null
  form.set(begunName, begunFor!)
  const none = say(site, 'noValue')
  return others
    .map(([before, now]) => say(site, 'begunForOther', { before: before ?? none, now: now ?? none }))
    .join(' ')
}

/** `due_back`, `lines`, `lines.0.item`, `lines.0.id`. */
function isLetIn(fields: readonly FormField[], name: string): boolean {
  if (name.startsWith('_')) return true
  const [key, , ...inner] = name.split('.')
  const field = fields.find(one => one.key === key && one.settable)
  if (field === undefined || inner.length === 0 || inner[0] === 'id') return field !== undefined
  return field.children !== null && isLetIn(field.children, inner.join('.'))
}

const within = ({ texts, lists }: Typed, fields: readonly FormField[]): Typed => ({
  texts: letIn(fields, '', texts),
  lists: Object.fromEntries(
    Object.entries(lists).flatMap(([key, rows]): [string, Typed['lists'][string]][] =>
      isLetIn(fields, key) && Array.isArray(rows)
        ? [
            [
              key,
              (rows as Typed['lists'][string]).map(row => ({ ...row, texts: letIn(fields, `${key}.0.`, row.texts) })),
            ],
          ]
        : [],
    ),
  ),
})

const letIn = (fields: readonly FormField[], at: string, texts: Typed['texts']): Typed['texts'] =>
  Object.fromEntries(Object.entries(texts).filter(([key]) => isLetIn(fields, at + key)))

/** `thing`: what the form is about, in the middle of a sentence. */
export function draftView(
  { context, site, tokens }: Building,
  { sent, thing, of }: { readonly sent: URLSearchParams | null; readonly thing: string; readonly of: DraftOf },
): DraftView {
  const { drafts, path, request } = context
  const there = drafts.find(({ form }) => form === of.form)
  const waiting = sent === null || !isOwn(sent) ? there : undefined
  return {
    own: waiting === undefined,
    input: { name: ownName, value: 'own' },
    keep: { name: keepName, label: say(site, waiting === undefined ? 'keepDraft' : 'keepDraftInstead') },
    status: waiting === undefined && there !== undefined ? keptAt(site, new Date(there.at)) : null,
    waiting:
      waiting === undefined
        ? null
        : {
            label: say(site, 'continueDraft', { thing }),
            when: say(site, 'draftFrom', { when: site.reader.format.relative(waiting.at, request.now) }),
            href: continueHref(path),
            discard: {
              action: `${path}?${discardName}=1`,
              hidden: tokens,
              label: say(site, 'discardDraft'),
            },
          },
  }
}

const keptAt = (site: Site, at: Date): string =>
  say(site, 'draftKeptAt', { time: site.reader.format.time(at.toISOString()) })

/** Whoever was signed out keeps nothing: their next page says so. */
export const isAutomatic = (context: RequestContext, form: URLSearchParams): boolean =>
  !isSignedIn(context) && form.get(keepName) === 'auto'
