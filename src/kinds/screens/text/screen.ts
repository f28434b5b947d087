import type { Screen, ScreenText } from '../../../headings/2-screens/model.ts'
import { type Member, type Members, partOf } from '../members.ts'
import type { ScreenKind } from '../screen-kind.ts'

const prose: Member<ScreenText | null> = {
  read: reader => reader.prose(),
  divides: true,
  uses: text => ({ text }),
  translated: (text, { language }) => text && { ...text, text: text.translated.get(language) ?? text.text },
}

const members = { prose } satisfies Members

export const textOf = (screen: Screen): string => partOf(members, screen).prose?.text?.text ?? ''

/** A page of prose. */
export const text: ScreenKind = {
  name: 'text',
  written: 'text',
  opening: 'text',
  meaning: 'A page of prose: what stands below its heading 3, as Markdown.',
  entity: 'none',
  by: 'none',
  properties: [],
  members,
  isSpecified: screen => textOf(screen) !== '',
}
