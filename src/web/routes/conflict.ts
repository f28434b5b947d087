/** Optimistic locking: somebody else saved the record meanwhile, and both versions of what differs are shown. */
import { wordFor } from '../../headings/translate.ts'
import { decodeForm } from '../../kinds/fields/input.ts'
import { linked } from '../../kinds/fields/several/links.ts'
import type { ConflictView } from '../../kinds/screens/form/view-model.ts'
import { isSealed } from '../../run/names.ts'
import type { Outcome } from '../../run/outcome.ts'
import { type RequestContext, readingAtOnce } from '../request-context.ts'
import type { HttpResponse } from '../response.ts'
import { building, versionInput } from '../screens/common.ts'
import { rowsText } from '../screens/form.ts'
import { hiddenTexts, isTouched, readWas, type Typed, typedFrom, writeWas } from '../screens/typed.ts'
import { valueView } from '../screens/values.ts'
import { knownTo } from '../seen.ts'
import { say } from '../sentences.ts'
import { fieldInfo, linksTo } from '../site.ts'
import { choicesOf, standingIn } from './choices.ts'
import { draftInputs } from './drafts.ts'
import { type FormPage, renderForm, shownBoxes } from './form-page.tsx'

/** What is now saved is the base: saving again compares with it, and loses neither. `action`: where the choice is sent. */
async function conflictOf(
  context: RequestContext,
  formPage: FormPage,
  form: URLSearchParams,
  typed: Typed,
  outcome: Extract<Outcome, { kind: 'stale' }>,
  action = context.path,
): Promise<ConflictView> {
  const { request, site } = context
  const { place } = formPage
  const entity = place.entity.key
  const fresh = formPage.form
  const build = building(context)
  const was = readWas(form.get('_was'))
  const now = typedFrom(build, entity, fresh)
  const [choices, { titles: chosen }] = await Promise.all([
    choicesOf(context, entity, fresh, typed),
    standingIn(build, entity, fresh, typed),
  ])
  const offered = [...choices.values()].flatMap(({ options }) => options)
  const labels = new Map([...offered.map(({ value, label }) => [value, label] as const), ...chosen])
  const known = knownTo(context)
  const decoded = decodeForm(known.entity(place.entity), known, form, site.reader.locale, {
    shown: shownBoxes(site.app, entity, fresh.fields),
    zone: request.zone,
  })
  const keys = fresh.fields.filter(({ settable }) => settable).map(({ key }) => key)
  const differences = keys.flatMap((key): ConflictView['differences'] => {
    const info = fieldInfo(site.app, entity, key)
    if (info === null || info.type.kind === 'secret' || !isTouched(key, typed, now)) return []
    const choice = isTouched(key, typed, was) ? ('yours' as const) : ('theirs' as const)
    const both = choice === 'yours' && isTouched(key, now, was)
    const shared = { name: `_take.${key}`, label: info.label, choice, both }
    const links = linksTo(info)
    if (links !== null) {
      const titles = (value: unknown, label: string | undefined) => ({
        ...valueView(site, entity, info, null),
        text:
          label ??
          linked(value as string | null)
            .flatMap(id => labels.get(id) ?? [])
            .join(', '),
      })
      const theirs = titles(outcome.theirs[key], outcome.labels[key])
      return [{ ...shared, yours: titles(decoded.values[key], undefined), theirs }]
    }
    if (info.type.kind === 'list') {
      const child = info.type.entity
      const mine = (decoded.children[key] ?? []).map(row => row.values)
      const rows = outcome.theirs[key]
      const theirs = Array.isArray(rows) ? rows : []
      return [
        { ...shared, yours: rowsText(build, child, mine, labels), theirs: rowsText(build, child, theirs, labels) },
      ]
    }
    const theirs = outcome.theirs[key]
    const wire = Array.isArray(theirs) ? undefined : (theirs as string | boolean | null | undefined)
    const yours = decoded.values[key]
    const view = (value: string | boolean | null | undefined) =>
      valueView(site, entity, info, value, { label: labels.get(String(value)) ?? fresh.labels[key], href: null })
    // What cannot be read as a value is shown as it was typed.
    const asTyped = { ...view(null), text: typed.texts[key] ?? '' }
    return [{ ...shared, yours: key in decoded.values ? view(yours) : asTyped, theirs: view(wire) }]
  })
  const carried = hiddenTexts(typed)
  const secrets = carried.filter(({ name, value }) => value !== '' && isSealed(site.app, entity, name))
  return {
    who: outcome.by === '' ? say(site, 'somebody') : outcome.by,
    when: outcome.at === null ? '' : site.reader.format.relative(outcome.at, request.now),
    moved: outcome.moved === null ? null : wordFor(site.app, outcome.moved),
    action,
    hidden: [
      ...build.tokens,
      versionInput(outcome.version),
      { name: '_was', value: writeWas(now) },
      ...draftInputs(form),
      ...carried.filter(one => !secrets.includes(one)),
    ],
    differences,
    again:
      secrets.length === 0
        ? null
        : say(site, 'secretsAgain', {
            fields: site.reader.format.allOf(
              secrets.flatMap(({ name }) => fieldInfo(site.app, entity, name)?.label ?? []),
            ),
          }),
    discard: formPage.cancel,
  }
}

/** The form comes back with what is now saved beside what was typed. */
export async function conflictPage(
  context: RequestContext,
  formPage: FormPage,
  form: URLSearchParams,
  typed: Typed,
  outcome: Extract<Outcome, { kind: 'stale' }>,
  action?: string,
): Promise<HttpResponse> {
  const reading = readingAtOnce(context)
  const conflict = await conflictOf(reading, formPage, form, typed, outcome, action)
  return renderForm(reading, formPage, { typed, conflict, status: 409 })
}
