/** What is served although the document does not say it, in the language of whoever reads. */
import type { Assumption } from '../../headings/app.ts'
import { type SentenceKey, say } from '../sentences.ts'
import type { Site } from '../site.ts'

/** About an entity: by what its name begins with. */
const kinds = {
  'A-SEE-': 'assumption.see',
  'A-SCREENS-': 'assumption.screens',
  'A-KEEP-': 'assumption.keep',
} as const

const ofAll: Readonly<Record<string, SentenceKey & `assumption.${'zone' | 'language' | 'signIn' | 'people'}`>> = {
  'A-ZONE-1': 'assumption.zone',
  'A-LANGUAGE-1': 'assumption.language',
  'A-SIGNIN-1': 'assumption.signIn',
  'A-PEOPLE-1': 'assumption.people',
}

export function assumptionText(site: Site, { name, what }: Assumption): string {
  const whole = ofAll[name]
  if (whole !== undefined) return say(site, whole)
  for (const [begin, key] of Object.entries(kinds) as [keyof typeof kinds, (typeof kinds)[keyof typeof kinds]][]) {
    const entity = site.app.entities.get(name.slice(begin.length).toLowerCase().replaceAll('-', '_'))
    if (name.startsWith(begin) && entity !== undefined) return say(site, key, { entity: entity.name })
  }
  return what
}
