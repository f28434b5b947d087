/** Where drafts are taken up again. */
import { specified } from '../../headings/specified.ts'
import type { LinkView } from '../../kinds/screens/view-model.ts'
import { mayEnter, mayOpen } from '../access.ts'
import type { RequestContext } from '../request-context.ts'
import { say } from '../sentences.ts'
import { inSentence } from '../site.ts'
import type { Building } from './common.ts'

/** In an address: the form as its draft has it. */
export const continueName = 'draft'

export const continueHref = (form: string): string => `${form}?${continueName}=1`

/** What a draft is of: "New loan", "Loan LN-2026-00007", the name of its screen; null where this person may not open it any more. */
export function draftTitle({ site, request }: RequestContext, form: string): string | null {
  const match = site.routes.match(form)
  if (match === null) return null
  if (match.kind === 'screen')
    return mayOpen(match.screen, request.actor)
      ? [match.screen.name.text, ...Object.values(match.segments)].join(' ')
      : null
  if (!mayEnter(match.place, request.actor)) return null
  const { name } = match.place.entity
  if (match.kind === 'new') return say(site, 'newRecord', { thing: inSentence(site, name) })
  return match.kind === 'edit' ? `${name} ${match.record}` : null
}

/** Forms of new records of this entity, begun and not saved, as far as this person may still open them. */
export function draftLinks({ context, site }: Building, entity: string): readonly LinkView[] {
  const { drafts, request } = context
  return drafts.flatMap(({ form }): readonly LinkView[] => {
    const match = site.routes.match(form)
    if (match === null) return []
    const name = site.app.entities.get(entity)!.name
    if (match.kind === 'new' && match.place.entity.key === entity && mayEnter(match.place, request.actor))
      return [{ label: say(site, 'continueDraft', { thing: inSentence(site, name) }), href: continueHref(form) }]
    if (match.kind !== 'screen' || Object.keys(match.segments).length > 0) return []
    if (specified(match.screen.shows)?.entity !== entity || !mayOpen(match.screen, request.actor)) return []
    return [{ label: say(site, 'continueDraft', { thing: match.screen.name.text }), href: continueHref(form) }]
  })
}
