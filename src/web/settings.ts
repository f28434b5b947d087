/** Figures of the HTTP half. Each is a decision that somebody may want to change, so each has a name, a unit and a reason. */

/** Minutes after signing in in which somebody without a password may change how they sign in. */
export const presentMinutes = 15
/** Seconds between two notes of "this session was used": not every request writes. */
export const sessionSeenSeconds = 60
/** Minutes that a link sent by e-mail signs in, once; minutes that one lets set a new password; days that an invitation holds. */
export const linkMinutes = 15
export const passwordLinkMinutes = 30
export const invitationDays = 7
/** Minutes between the first factor and the second; recovery codes that somebody gets at a time. */
export const secondFactorMinutes = 10
export const recoveryCodes = 10
/** Minutes to come back from another place with a sign-on; seconds that one question to it may take; minutes that its own account of itself is believed. */
export const signOnMinutes = 10
export const openIdSeconds = 5
export const providerMinutes = 60
/** Where one's second factor is set up. */
export const factorPath = '/-/account/second-factor'
/** Where one begins to act as somebody; for how many minutes; letters of the reason. */
export const actPath = '/-/act'
export const actingMinutes = 30
export const reasonLetters = 500
/** Minutes that a device has to answer; passkeys that one person may have. */
export const challengeMinutes = 5
export const passkeysOfPerson = 20
/** Days that a key for a program holds unless somebody says otherwise; letters of its name; keys that one person may have. */
export const keyDays = 90
export const keyNameLetters = 60
export const keysOfPerson = 20
/** Minutes that a POST of somebody who had been signed out is kept. */
export const keptMinutes = 30
/** POSTs kept at a time, and bytes of each. The oldest goes first. */
export const keptPosts = 500
export const keptBytes = 65_536

/** Bytes of a form or JSON body. */
export const bodyBytes = 1_048_576
/** Files of one form. */
export const filesOfForm = 100
/** Bytes beyond what is taken that are read and thrown away, so that whoever sends too much hears it instead of losing the connection. */
export const lingerBytes = 33_554_432
/** Fields of a form: the loan desk's largest has some 30. */
export const formFields = 2_000
/** Where a file with a table is sent: the one address that takes more than a form. */
/** What one was told of. */
export const noticesPath = '/-/notices'
export const draftsPath = '/-/drafts'

/** The document as text; only in `dev`. */
export const editorPath = '/-/dev/editor'

/** What one may do with a record, and why not the rest. */
export const whyPath = '/-/why'

/** Before the address of a form for everyone: the same form, for a frame on a page of another site. */
export const embedRoot = '/-/embed'

/** Where the link leads that confirms what was sent by a form for everyone. */
export const confirmPath = '/-/confirm'

/** Where comments are sent. */
export const commentsPath = '/-/comments'

export const importPath = '/-/import'
/** A table that is brought in: bytes of the file and of what it unpacks to, rows, columns, letters in a cell. */
export const tableBytes = 10_000_000
export const tableUnpackedBytes = 104_857_600
export const tableRows = 50_000
export const tableColumns = 200
export const tableCellLetters = 10_000
/** Rows of a job that are worked on before the page answers; the rest goes on in the background. */
export const rowsAtOnce = 50
/** Records that one step may be taken for together. */
export const jobRecords = 10_000
/** Rows of a job on one page. */
export const jobRows = 50
/** Levels of nesting in a JSON body. */
export const jsonDepth = 16

/** Milliseconds in which the head, a body without files, and the whole of a request must have come: a photograph may come from a phone at sea. */
export const headersTimeout = 5_000
export const bodyTimeout = 10_000
export const requestTimeout = 600_000
/** Milliseconds that an idle connection stays open: longer than common load balancers wait. */
export const keepAliveTimeout = 65_000

/** Rows at most in one answer of the API. */
export const apiRows = 100
/** A select has at most so many options; beyond, it is a search. */
export const selectOptions = 50
/** Results of one search in a picker. */
export const pickResults = 20

/** Messages of one kind that are received in a minute. */
export const receivedPerMinute = 600
/** Seconds that the clocks of sender and receiver may differ, and that a signed message may be old. */
export const signatureSeconds = 300

/** Opening a record in an emergency, and who read what. */
export const emergencyPath = '/-/emergency'
export const readLogPath = '/-/reads'
/** All that is held about one person. */
export const personDataPath = '/-/person-data'

/** The page that finds everything; with `.json` what its palette asks. */
export const findPath = '/-/search'
/** Characters of what is looked for. */
export const longestSearch = 200

/** How often somebody may ask in a minute whether values of a form are free: more than anybody fills in, too few to try names out. */
export const takenInMinute = 60
