/** What all kinds have below the headings of their screens, for those who read all screens alike. */
import type { Screen } from '../../headings/2-screens/model.ts'
import { kindOf } from './index.ts'
import type { Member, Members, MemberText, Translator } from './members.ts'

/** Of each member what it is called, and what the screen has there. */
function valuesOf(screen: Screen): readonly (readonly [name: string, member: Members[string], value: unknown])[] {
  return Object.entries(kindOf(screen)?.members ?? {}).map(([name, member]) => [name, member, screen.part[name]])
}

export const translatedPart = (screen: Screen, to: Translator): Screen['part'] =>
  Object.fromEntries(
    valuesOf(screen).map(([name, { translated }, value]) => [
      name,
      translated === undefined ? value : translated(value, to),
    ]),
  )

export const partTexts = (screen: Screen): readonly MemberText[] =>
  valuesOf(screen).flatMap(([, { texts }, value]) => texts?.(value) ?? [])

export const explainedPart = (screen: Screen): ReturnType<NonNullable<Member<unknown>['explained']>> =>
  valuesOf(screen).flatMap(([, { explained }, value]) => explained?.(value) ?? [])
