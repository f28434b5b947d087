/** How somebody is told of what concerns them: at once or once a day by mail, on the page of their notices alone, or not at all. */

/** Kinds of notices, in the order in which people choose. */
export const noticeKinds = ['mention', 'reply', 'comment', 'owner', 'decide', 'moved'] as const
export type NoticeKind = (typeof noticeKinds)[number]

export const ways = ['now', 'daily', 'page', 'none'] as const
export type Way = (typeof ways)[number]

/** A mail of the document stands on no page of notices. */
export const mailWays = ['now', 'daily', 'none'] as const satisfies readonly Way[]

/** What a person chose, by the kind of notice or the `mailName` of a mail. */
export type Told = Readonly<Record<string, Way>>

/** Name of a mail of the document among what is chosen. */
export const mailName = (key: string): string => `mail ${key}`

/** What people write to each other is mailed. Of work the document says itself what is mailed, so that nobody gets two. */
const unchosen: Readonly<Record<string, Way>> = { owner: 'page', decide: 'page', moved: 'page' }

export const wayOf = (told: Told | null | undefined, name: string): Way => told?.[name] ?? unchosen[name] ?? 'now'
