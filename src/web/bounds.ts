/** How many, how large and how long over HTTP. Each figure is a decision that somebody may want to change: it has a name and a unit. */

// Signing in

/** Minutes after signing in during which somebody without a password may change how they sign in. */
export const presentMinutes = 15
/** Seconds between two notes of "this session was used": not every request writes. */
export const sessionSeenSeconds = 60
/** Minutes that a browser that opened the link of a record shows it without opening it anew. */
export const caseMinutes = 120
/** Minutes between the first factor and the second. */
export const secondFactorMinutes = 10
/** Days that a browser is known as one that somebody signed in from; browsers keep no cookie for longer. */
export const deviceDays = 400
/** Recovery codes issued at a time. */
export const recoveryCodes = 10
/** Minutes to come back from a single sign-on provider. */
export const signOnMinutes = 10
/** Seconds that one request to a provider may take. */
export const openIdSeconds = 5
/** Seconds that the clock of a provider may differ from ours. */
export const clockSeconds = 180
/** Minutes that a provider's metadata is kept. */
export const providerMinutes = 60
/** Characters of the reason for it. */
export const reasonLetters = 500
/** Minutes that a device has to answer a passkey challenge. */
export const challengeMinutes = 5
/** Passkeys that one person may have. */
export const passkeysOfPerson = 20
/** Days that an API key is valid unless somebody chooses otherwise. */
export const keyDays = 90
/** Characters of the name of an API key or a passkey. */
export const keyNameLetters = 60
/** API keys that one person may have. */
export const keysOfPerson = 20
/** Hours for which a program that registered as an assistant is known while nobody has let it in. */
export const registeredHours = 24
/** Minutes that somebody has to say whether an assistant may come in. */
export const consentMinutes = 15
/** Minutes that a POST is kept for somebody whose session had ended; `caseKept` says so in words. */
export const keptMinutes = 30
/** POSTs kept at a time; the oldest goes first. */
export const keptPosts = 500
/** Bytes of a POST that is kept. */
export const keptBytes = 65_536

// Open pages

/** Seconds that one connection tells a browser what was written; then it asks anew, as whoever it is by then. */
export const liveSeconds = 120
/** Pages that one browser follows over it, and records that stand on each. */
export const followedPages = 20
export const followedRecords = 100
/** Such connections of one person, of whom each browser has one for all of its pages, and of everybody, that one process keeps open. */
export const openConnections = { ofPerson: 20, ofProcess: 5_000 } as const

// Requests

/** Bytes of a form or JSON body. */
export const bodyBytes = 1_048_576
/** Files of one form. */
export const filesOfForm = 100
/** Lines, and bytes, that stand before the content of one part of a form with files. */
export const partHead = { headerPairs: 20, headerSize: 8_192 } as const
/** Bytes beyond the limit that are read and thrown away, so that whoever sends too much gets an answer instead of a lost connection. */
export const lingerBytes = 33_554_432
/** Fields of a form, or its parts: the loan desk's largest has some 30. */
export const formFields = 2_000
/** Levels of nesting in a JSON body. */
export const jsonDepth = 16
/** Bytes of the head of a request. */
export const headBytes = 16_384
/** Milliseconds in which it must arrive. */
export const headersTimeout = 5_000
/** Milliseconds in which a body without files must arrive. */
export const bodyTimeout = 10_000
/** Bytes that a body with files must bring in so many milliseconds, again and again: a slow line does, one that is only held open does not. */
export const steady = { bytes: 1024, milliseconds: 15_000 } as const
/** Milliseconds in which a whole request must arrive: a photograph may come from a phone at sea. */
export const requestTimeout = 600_000
/** Milliseconds that an idle connection stays open: longer than common load balancers wait. */
export const keepAliveTimeout = 65_000
/** Rows in one answer of the API. */
export const apiRows = 100
/** Messages of one kind received in a minute. */
export const receivedPerMinute = 600
/** Seconds that the clocks of sender and receiver may differ, and that a signed message may be old. */
export const signatureSeconds = 300

/**
 * Requests that one process works on at a time, and while many wait at the front; those that wait for it over connections that it has,
 * and milliseconds that any of them waits. There are fewer connections to the database than are worked on.
 */
export const turnsOfProcess = { atOnce: 12, crowded: 6, waiting: 200, milliseconds: 10_000 } as const
/**
 * New connections that wait for each process: so many at once, and so many where somebody has waited all the time for so many milliseconds, until
 * nobody is refused for so many. Then more come than can be answered, and a longer line would only have all of them wait longer.
 */
export const connectionsWaiting = { atOnce: 50, lasting: 6, milliseconds: 1000, quiet: 100 } as const
/** Connections that the front keeps after it refused what came over them, as long as one that is idle; more of them end with the answer. */
export const connectionsRefused = 1000
/** Connections that the system holds until the front accepts them, at most: it goes on to the next within a thousandth of a second or two. */
export const connectionsUnaccepted = 4096
/** What is said to whoever is asked to try again, in seconds. */
export const retryLater = { 'retry-after': '5' } as const

// Imports and jobs

/** Bytes of a table that is imported. */
export const tableBytes = 10_000_000
/** Bytes that it unpacks to. */
export const tableUnpackedBytes = 104_857_600
/** Its rows. */
export const tableRows = 50_000
/** Its columns. */
export const tableColumns = 200
/** Characters of a heading that are kept, and compared with names. */
export const headingLetters = 200
/** Characters in one of its cells. */
export const tableCellLetters = 10_000
/** Characters in all of them. */
export const tableLetters = 52_428_800
/** Cells of a row, empty ones behind its columns included: a workbook may name one far to the right alone. */
export const tableLooked = 1_000
/** The last row that a workbook can have. */
export const workbookRow = 1_048_576
/** Rows from the top among which that of the headings is looked for, and sheets that are looked through for it. */
export const headingsLooked = 20
export const sheetsLooked = 10
/** Cells that a sheet may span whatever is in it, and how many times those that are there: it is read as a rectangle. */
export const sheetSpan = 2_000_000
export const sheetGaps = 20
/** Bytes that it unpacks to, letters in its cells and cells that it spans: from so many of any on it is read in a thread of its own. */
export const tableApartBytes = 262_144
/** Megabytes that such a thread may take, besides the file, and seconds. */
export const tableThread = { megabytes: 512, seconds: 60 } as const
/** Such threads at a time, and files that wait for one. */
export const tableQueue = { atATime: 1, waiting: 8 } as const
/** Rows of a job that are worked on before the page answers, and milliseconds after which no other is begun; the rest goes on in the background. */
export const rowsAtOnce = 50
export const rowsWithin = 1000
/** Records that one print of many takes. */
export const printRecords = 100
/** Megabytes and seconds that a file for paper may take, set in a thread of its own. */
export const paperThread = { megabytes: 512, seconds: 60 } as const
/** Such threads at a time, and files that wait for one. */
export const paperQueue = { atATime: 1, waiting: 8 } as const
/** Records that one step may be taken for together. */
export const jobRecords = 10_000
/** Rows of a job on one page. */
export const jobRows = 50

// Choosing and searching

/** Options of a select; beyond, it is a search. */
export const selectOptions = 50
/** Results of one search in a picker. */
export const pickResults = 20
/** Characters of what is searched for. */
export const longestSearch = 200
/** How often in a minute somebody may ask whether a value in a form is free: more than anybody fills in, too few to try names out. */
export const takenInMinute = 60
