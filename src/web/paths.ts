/** Addresses of the application's own pages that more than one file names. A document's addresses never begin with `/-/`. */

/** Where a second factor is set up. */
export const factorPath = '/-/account/second-factor'

/** Where somebody takes back what they have just done. */
export const undoPath = '/-/undo'

/** Where somebody begins to act as another person. */
export const actPath = '/-/act'

/** What somebody was told of. */
export const noticesPath = '/-/notices'

/** What somebody began to write and has not saved. */
export const draftsPath = '/-/drafts'

/** The document as text; only in `dev`. */
export const editorPath = '/-/dev/editor'

/** A record by its id: its page, or where no screen shows it, what may be seen of it. */
export const recordPath = '/-/record'

/** What may be done with a record, and why not the rest. */
export const whyPath = '/-/why'

/** Before the address of a form for everyone: the same form, for a frame on a page of another site. */
export const embedRoot = '/-/embed'

/** Where the link leads that confirms what was sent by a form for everyone. */
export const confirmPath = '/-/confirm'

/** Where whoever may signs up; behind `/confirm` the link in the mail. */
export const signUpPath = '/-/sign-up'

/** Whether the session is still one; no use of it. */
export const sessionPath = '/-/session'

/** Where assistants ask. */
export const assistantPath = '/-/mcp'

/** Where assistants come to be let in by OAuth, and somebody is asked whether they may. */
export const oauthRoot = '/-/oauth'
export const registerPath = `${oauthRoot}/register`
export const consentPath = `${oauthRoot}/consent`

/** What says where tokens for `/-/mcp` come from. */
export const resourcePath = `/.well-known/oauth-protected-resource${assistantPath}`

/** Tells open pages what was written; no use of the session either. */
export const livePath = '/-/events'

/** On the request of a page that looks again at what it shows, by itself. */
export const lookHeader = 'nf-look'

/** Forms for everyone that were held back. */
export const heldPath = '/-/held'

/** Where somebody without an account opens a record: by a link, or by its number and a code. */
export const casePath = '/-/case'

/** Where comments are sent. */
export const commentsPath = '/-/comments'

/** Where a file with a table is sent: the one address that takes more than a form. */
export const importPath = '/-/import'

/** Opening a record in an emergency. */
export const emergencyPath = '/-/emergency'

/** With whom a record is shared. */
export const sharePath = '/-/share'

/** Who read what. */
export const readLogPath = '/-/reads'

/** All that is held about one person. */
export const personDataPath = '/-/person-data'

/** The page that finds everything; with `.json` what its palette asks. */
export const findPath = '/-/search'

/** What keys do. */
export const shortcutsPath = '/-/shortcuts'

/** Calls that `dev` received itself, and what they are answered. */
export const receivedPath = '/-/calls-received'
