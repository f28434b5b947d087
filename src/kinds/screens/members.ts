/**
 * What of a screen only its kind knows is its part: named members, each of a type that says how it is read below the heading of the
 * screen, and what others may ask of it. So what is checked, compared, explained and translated knows types of members, and no kinds;
 * a kind with something of its own to say writes a member in its own folder.
 */
import type { Cell } from '../../document/source.ts'
import type { Template } from '../../expression/expression.ts'
import type { Screen } from '../../headings/2-screens/model.ts'
import type { ScreenReader } from '../../headings/2-screens/reader.ts'
import type { Uses } from './uses.ts'

export interface Member<V> {
  /** Never refuses: what was not understood was reported, and is absent. */
  readonly read: (reader: ScreenReader) => V
  /** It says something in headings 4. Absent: as far as this member goes, nothing may stand there. */
  readonly divides?: true
  /** What others have to know of it. Absent: nothing. */
  readonly uses?: (value: V) => Partial<Uses>
  /** How `diff` tells that it changed. Absent: by its name and its value. `told`: behind the name of the screen. */
  readonly compared?: { readonly told: string; readonly as?: (value: V) => Compared }
  /** What `explain` says of it, each with its place; null: that of the screen. Absent: nothing. */
  readonly explained?: (value: V) => readonly { readonly text: string; readonly cell: Cell | null }[]
  /** What people read of it. Absent: nothing that a translation says anew. */
  readonly texts?: (value: V) => readonly MemberText[]
  /** The same in another language. Absent: the same. */
  readonly translated?: (value: V, to: Translator) => V
}

export interface Compared {
  readonly value: unknown
  readonly words: string | null
}

export interface MemberText {
  readonly text: string
  /** It may be translated, and need not be. */
  readonly optional?: true
}

export interface Translator {
  readonly language: string
  /** The place stays that of the original: that is what decides. */
  readonly cell: <C extends Cell | null>(of: C) => C
  readonly template: (of: Template) => Template
}

// biome-ignore lint/suspicious/noExplicitAny: each member has a type of its own, which nobody but itself and its kind looks at
export type Members = Readonly<Record<string, Member<any>>>

export type PartOf<M extends Members> = { readonly [name in keyof M]: M[name] extends Member<infer V> ? V : never }

/** For the kind that these are the members of: only it knows what is in the part of its screens. */
export const partOf = <M extends Members>(_: M, screen: Screen): PartOf<M> => screen.part as PartOf<M>

export const readPart = (members: Members, reader: ScreenReader): Screen['part'] =>
  Object.fromEntries(Object.entries(members).map(([name, { read }]) => [name, read(reader)]))
