/** Where drafts are taken up again. */
import { said } from '../../headings/said.ts'
import type { LinkView } from '../../kinds/screens/view-model.ts'
import { mayEnter, mayOpen } from '../access.ts'
import { say } from '../sentences.ts'
import { inSentence } from '../site.ts'
import type { Building } from './common.ts'

/** In an address: the form as its draft has it. */
export const continueName = 'draft'

export const continueHref = (form: string): string => `${form}?${continueName}=1`

/** Forms of new records of this entity, begun and not saved, as far as this person may still open them. */
export function draftLinks({ exchange, site }: Building, entity: string): readonly LinkView[] {
  const { drafts, request } = exchange
  return drafts.flatMap(({ form }): readonly LinkView[] => {
    const match = site.routes.match(form)
    if (match === null) return []
    const name = site.app.entities.get(entity)!.name
    if (match.kind === 'new' && match.place.entity.key === entity && mayEnter(match.place, request.actor))
      return [{ label: say(site, 'continueDraft', { thing: inSentence(site, name) }), href: continueHref(form) }]
    if (match.kind !== 'screen' || Object.keys(match.segments).length > 0) return []
    if (said(match.screen.shows)?.entity !== entity || !mayOpen(match.screen, request.actor)) return []
    return [{ label: say(site, 'continueDraft', { thing: match.screen.name.text }), href: continueHref(form) }]
  })
}
