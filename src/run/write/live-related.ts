/** Records of others that a form while somebody types knows of. */
import type { LiveForm } from './live-form.ts'

/** With more of them. */
export const withRelated = (live: LiveForm, more: LiveForm['related']): LiveForm => ({
  ...live,
  related: Object.fromEntries(
    [...new Set([...Object.keys(live.related), ...Object.keys(more)])].map(entity => [
      entity,
      { ...live.related[entity], ...more[entity] },
    ]),
  ),
})
