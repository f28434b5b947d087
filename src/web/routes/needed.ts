/** What a form in the browser needs of records that were chosen in it, and did not come with it: asked while it is filled in. */
import type { Answer } from '../answer.ts'
import { json } from '../answer.ts'
import { type Exchange, readingAtOnce } from '../exchange.ts'
import { building } from '../screens/common.ts'
import { livingForm, relatedTo } from '../screens/live.ts'
import type { Typed } from '../screens/typed.ts'
import { standingIn } from './choices.ts'
import type { Paper } from './paper.tsx'

/** In a form that is only asked about. */
export const neededName = '_needed'

export async function needed(exchange: Exchange, { place, form }: Paper, typed: Typed): Promise<Answer> {
  const build = building(readingAtOnce(exchange))
  const entity = place.entity.key
  const living = livingForm(build, entity, form)
  const { records } = await standingIn(build, entity, form, typed, living.wanted)
  return json({ related: await relatedTo(build, living, records) })
}
