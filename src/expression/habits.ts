/**
 * What people are used to from programs, databases, spreadsheets and word processors, written in the words of this language. Only
 * a proposal: whoever asks reads it and offers it where it is understood without a mistake.
 */

/** Names that the place knows: of fields, constants and choices. */
export interface Spellings {
  readonly fields: readonly string[]
  readonly limits: readonly string[]
  readonly entity: string | null
}

type Rewriting = readonly (readonly [RegExp, string | ((...found: string[]) => string)])[]

/** One value without operators: a number, a path, a text or what stands in brackets, which are marks while a line is rewritten. */
const value = '(?:[\\w.]|\\ue000\\d+\\ue001)+'
const rule = (pattern: string, instead: string | ((...found: string[]) => string), flags = 'gi') =>
  [new RegExp(pattern.replaceAll('VALUE', value), flags), instead] as const

/** What word processors make of what is typed. */
const typed: Rewriting = [
  rule('[\\u00ad\\u200b-\\u200d\\u2060]', ''),
  rule('[“”„‟«»]\\s*([^“”„‟«»"]*?)\\s*[“”„‟«»]', '"$1"'),
  rule('[‘’‚‛]([^‘’‚‛"]*)[‘’‚‛]', '"$1"'),
  rule("(?<!\\w)'([^'\"]*)'", '"$1"'),
  rule('[–—−]', '-'),
  rule('×', '*'),
  rule('÷', '/'),
]

const units: Readonly<Record<string, string>> = {
  d: 'days',
  h: 'hours',
  tag: 'days',
  tage: 'days',
  tagen: 'days',
  woche: 'weeks',
  wochen: 'weeks',
  monat: 'months',
  monate: 'months',
  monaten: 'months',
  jahr: 'years',
  jahre: 'years',
  jahren: 'years',
  stunde: 'hours',
  stunden: 'hours',
  minute: 'minutes',
  minuten: 'minutes',
}
const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const day = (year: string, month: string, date: string) =>
  `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`

const numbers: Rewriting = [
  rule('(\\d{1,2}) (?:of )?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* (\\d{4})', (_, date, month, year) =>
    day(year!, String(monthNames.indexOf(month!.toLowerCase()) + 1), date!),
  ),
  rule('\\b(\\d{4})[/-](\\d{1,2})[/-](\\d{1,2})\\b(?![T:])', (_, year, month, date) => day(year!, month!, date!)),
  rule('\\b(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4}|\\d{2})(?![\\d.])', (_, date, month, year) => day(year!, month!, date!)),
  rule("\\b\\d{1,3}(?:['. ]\\d{3})+(?:,(\\d+))?\\b", (found, decimals) =>
    decimals === undefined && found.includes('.') ? found : found.replace(/['. ]/g, '').replace(',', '.'),
  ),
  rule('(?<!\\(.*|\\[.*)\\b\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?\\b', found => found.replaceAll(',', '')),
  rule('(?<!\\(.*|\\[.*)\\b(\\d+),(\\d+)\\b', '$1.$2'),
  rule('[€$£]\\s*(?=\\d)', ''),
  rule('(\\d)\\s*(?:[€$£]|(?:EUR|USD|GBP|CHF|Euro)\\b)', '$1'),
  rule('(\\d)\\s*(?:percent|prozent)\\b', '$1%'),
  rule(
    '\\b(\\d+)\\s*(tage?n?|wochen?|monate?n?|jahre?n?|stunden?|minuten?|d|h)\\b',
    (_, count, unit) => `${count} ${units[unit!.toLowerCase()]}`,
  ),
]

/** `\u0022` stands for a text that was put aside. */
const operators: Rewriting = [
  rule('^\\s*={1,2}(?!=)', ''),
  rule('===?', '='),
  rule('!==', '!='),
  rule('<>|≠', '!='),
  rule('=<|≤', '<='),
  rule('≥', '>='),
  rule('&&', ' and '),
  rule('!(?=[\\w(\\ue000])', 'not '),
  rule('\\?\\.', '.'),
  rule(
    '\\b(AND|OR|NOT|IS|IN|BETWEEN|CONTAINS|LIKE|EMPTY|WHERE|IF|THEN|ELSE|CASE|WHEN|END|TRUE|FALSE)\\b',
    word => word.toLowerCase(),
    'g',
  ),
  rule('\\bund\\b', 'and'),
  rule('\\boder\\b', 'or'),
  rule('\\bnicht\\b', 'not'),
  rule('\\b(?:wahr|ja)\\b', 'true'),
  rule('\\b(?:falsch|nein)\\b', 'false'),
  rule('\\bist\\b', 'is'),
  rule("\\bis ?n't\\b|\\bisn['’]t\\b", 'is not'),
  rule('\\bis not (?:null|nil|undefined|blank|leer|missing)\\b', 'is not empty'),
  rule('\\bis (?:null|nil|undefined|blank|leer|missing|not (?:set|filled|given|present))\\b', 'is empty'),
  rule('\\bis (?:set|filled|filled in|given|present|known)\\b', 'is not empty'),
  rule('!= *(?:null|nil|undefined|none)\\b', 'is not empty'),
  rule('(?<![<>!])= *(?:null|nil|undefined|none)\\b', 'is empty'),
  rule('(?<![\\w.])(?!is\\b)(VALUE) not empty\\b', '$1 is not empty'),
  rule('\\bexists (VALUE)', '$1 is not empty'),
  rule('\\b(?:is )?(?:greater|more|later|larger|higher|bigger) (?:than )?or equal (?:to|than)\\b', '>='),
  rule('\\b(?:is )?(?:less|smaller|earlier|fewer|lower) (?:than )?or equal (?:to|than)\\b', '<='),
  rule('\\bis (?:not before|on or after|at least)\\b|\\bat least\\b', '>='),
  rule('\\bis (?:not after|on or before|at most)\\b|\\bat most\\b', '<='),
  rule('\\b(?:is )?(?:greater|more|later|larger|higher|bigger) than\\b|\\bis after\\b', '>'),
  rule('\\b(?:is )?(?:less|smaller|earlier|fewer|lower) than\\b|\\bis before\\b', '<'),
  rule('\\b(?:is )?not equal(?:s)?(?: to)?\\b|\\b(?:does not|doesn.t) equal\\b', '!='),
  rule('\\b(?:is )?equal(?:s)?(?: to)?\\b', '='),
  rule('\\bis not (?:one|any) of\\b|\\bis not in\\b|\\bnot one of\\b', 'not in'),
  rule('\\bis (?:one|any) of\\b|\\bis in\\b|\\bone of\\b', 'in'),
  rule('\\bin *[[{]([^\\][{}]*)[\\]}]', 'in ($1)'),
  rule('(?<=\\bin )([A-Z]\\w*(?:, *[A-Z]\\w*)*)(?! *[\\w,(])', '($1)', 'g'),
  rule(
    '(VALUE) (?:=|is) ([A-Z]\\w*)((?: or [A-Z]\\w*)+)\\b(?! *[=<>.]| (?:is|in|not)\\b)',
    (_, of, first, others) => `${of} in (${first}${others!.replaceAll(' or ', ', ')})`,
    'g',
  ),
  rule('\\bbetween (VALUE) *(?:to|,|\\.\\.) *(VALUE)', 'between $1 and $2'),
  rule(
    '(VALUE) *(working ?days?|work ?days|business days?|werktagen?|werktage|arbeitstagen?|arbeitstage)\\b',
    '$1 \ue002',
  ),
  rule('(VALUE) \\ue002 after (VALUE)', 'working_days_after($2, $1)'),
  rule('(VALUE) \\ue002 before (VALUE)', 'working_days_after($2, -$1)'),
  rule('(VALUE) *\\+ *(VALUE) \\ue002', 'working_days_after($1, $2)'),
  rule('(VALUE) *- *(VALUE) \\ue002', 'working_days_after($1, -$2)'),
  rule('(\\d+) (days?|weeks?|months?|years?|hours?|minutes?) (?:before|prior to) (VALUE)', '$3 - $1 $2'),
  rule('(\\d+) (days?|weeks?|months?|years?|hours?|minutes?) (?:after|from) (VALUE)', '$3 + $1 $2'),
  rule('(?<![\\w.])(after|before) (?=VALUE)', (_, word) => (word!.toLowerCase() === 'after' ? '> ' : '< ')),
]

const names: Rewriting = [
  rule('[$@:](?=[a-z_])', ''),
  rule('[[{] *([a-z]\\w*) *[\\]}]', '$1'),
  rule('\\bmath\\.(?=\\w)', ''),
  rule('\\b(?:heute|current_date|getdate|date\\.today|curdate|sysdate)\\b(?: *\\( *\\))?', 'today'),
  rule('\\b(?:jetzt|current_timestamp|date\\.now)\\b(?: *\\( *\\))?|\\bnew date\\b(?: *\\( *\\))?', 'now'),
  rule('\\b(today|now) *\\( *\\)', (_, word) => word!.toLowerCase()),
  rule('\\b(?:TODAY|NOW)\\b', word => word.toLowerCase(), 'g'),
  rule(
    '\\b(?:current_?user|logged_?in_?user|request\\.user|user)(?:\\.id|\\(\\))?(?![\\w.(])|\\bme\\.id\\b|\\bI\\b',
    'me',
    'g',
  ),
  rule('\\bcurrentUser(?:\\.id|\\(\\))?(?![\\w.(])', 'me', 'g'),
  rule('\\b(?:me|user|current_?user)\\.(?=[a-z])', 'my.'),
  rule('\\b(?:record|self|new|row|item_self|state(?=\\.[A-Z]))\\.(?=\\w)', ''),
  rule('\\b(?:constants?|limit|settings|config)\\.(?=[a-z])', 'limits.'),
]

/** Calls of other languages, by their names in small letters, of what stands in the brackets. */
const calls: Readonly<Record<string, (...given: string[]) => string>> = {
  if: conditional,
  iif: conditional,
  wenn: conditional,
  and: (...all) => `(${all.join(' and ')})`,
  und: (...all) => `(${all.join(' and ')})`,
  or: (...all) => `(${all.join(' or ')})`,
  oder: (...all) => `(${all.join(' or ')})`,
  isblank: of => `${of} is empty`,
  isempty: of => `${of} is empty`,
  istleer: of => `${of} is empty`,
  empty: of => `${of} is empty`,
  exists: of => `any(${of})`,
  len: of => `length(${of})`,
  mid: (...all) => `part(${all.join(', ')})`,
  uppercase: of => `upper(${of})`,
  lowercase: of => `lower(${of})`,
  unaccent: of => `plain(${of})`,
  fold: of => `plain(${of})`,
  substitute: (of, what, put) => (put === '""' ? `without(${of}, ${what})` : `replace(${of}, ${what}, ${put})`),
  to_number: of => `number(${of})`,
  summe: of => `sum(${of})`,
  anzahl: of => `count(${of})`,
  ifnull: (...all) => `coalesce(${all.join(', ')})`,
  isnull: (...all) => (all.length === 1 ? `${all[0]} is empty` : `coalesce(${all.join(', ')})`),
  nvl: (...all) => `coalesce(${all.join(', ')})`,
  iferror: (...all) => `coalesce(${all.join(', ')})`,
  concat: (...all) => all.join(' + '),
  concatenate: (...all) => all.join(' + '),
  verketten: (...all) => all.join(' + '),
  avg: of => averageOf(of!),
  average: of => averageOf(of!),
  mittelwert: of => averageOf(of!),
  countif: (of, where) => `count(${of} where ${where})`,
  sumif: (of, where) => `sum(${of} where ${where})`,
  some: (of, where) => `any(${of} where ${where})`,
  every: (of, where) => `all(${of} where ${where})`,
  days: (to, from) => `days_between(${from}, ${to})`,
  datedif: (from, to) => `days_between(${from}, ${to})`,
  networkdays: (from, to) => `working_days(${from}, ${to})`,
  workday: (from, to) => `working_days_after(${from}, ${to})`,
  date: of => (/^\d{4}-/.test(of!) ? of! : `date(${of})`),
  round: (of, places) => (places === undefined || /^0$/.test(places) ? `round(${of})` : `round(${of}, ${places})`),
  ceil: of => `round_up(${of})`,
  ceiling: of => `round_up(${of})`,
  floor: of => `round_down(${of})`,
}

function conditional(condition?: string, then?: string, otherwise = 'empty'): string {
  return `(if ${condition} then ${then} else ${otherwise})`
}

const averageOf = (of: string) => `sum(${of}) / count(${of.replace(/\.\w+$/, '')})`

/** What is asked of a value behind a dot, by its name in small letters. */
const methods: Readonly<Record<string, (of: string, ...given: string[]) => string>> = {
  includes: (of, what) => `${of} contains ${what}`,
  contains: (of, what) => `${of} contains ${what}`,
  startswith: (of, what) => `${of} starts with ${what}`,
  some: (of, where) => `any(${of} where ${where})`,
  any: (of, where) => `any(${of} where ${where})`,
  every: (of, where) => `all(${of} where ${where})`,
  all: (of, where) => `all(${of} where ${where})`,
  count: of => `count(${of})`,
}

/** Where two things can be meant: what `x.length`, `a || b` and `now` are. */
interface Meaning {
  readonly length: 'length' | 'count'
  readonly join: 'or' | '+'
  readonly now: 'now' | 'today'
}

const meanings: readonly Meaning[] = [
  { length: 'length', join: 'or', now: 'now' },
  { length: 'count', join: 'or', now: 'now' },
  { length: 'length', join: '+', now: 'now' },
  { length: 'length', join: 'or', now: 'today' },
]

/** The text as it could be meant, the likeliest first; none: nothing in it is known from elsewhere. */
export function inOwnWords(text: string, known: Spellings): readonly string[] {
  if (text.length > 1000 || /[\ue000-\ue002]/.test(text)) return []
  const all = meanings.map(meaning => rewritten(text, known, meaning))
  return [...new Set(all)].filter(each => each !== text)
}

function rewritten(text: string, known: Spellings, meaning: Meaning): string {
  const aside: string[] = []
  const put = (part: string) => `\ue000${aside.push(part) - 1}\ue001`
  const inPlace = (part: string): string =>
    part.replace(/\ue000(\d+)\ue001/g, (_, index: string) => inPlace(aside[Number(index)]!))
  const compared: Rewriting = [
    rule('!= *\\ue000(\\d+)\\ue001', (found, index) => (aside[Number(index)] === '""' ? 'is not empty' : found)),
    rule('(?<![<>!])= *\\ue000(\\d+)\\ue001', (found, index) => (aside[Number(index)] === '""' ? 'is empty' : found)),
    rule('\\b(not )?i?like (\\ue000\\d+\\ue001)', (found, not = '', part) => {
      const [, before, of, behind] = /^"(%?)([^%_]+)(%?)"$/.exec(inPlace(part!)) ?? []
      if (of === undefined) return found
      if (before === '%' && behind === '%') return `${not}contains ${put(`"${of}"`)}`
      return behind === '%' ? `${not}starts with ${put(`"${of}"`)}` : before === '' ? `= ${put(`"${of}"`)}` : found
    }),
    rule('(?:\\b(?:date|interval|timestamp) *)?(\\ue000\\d+\\ue001)', (found, part) => {
      const inside = inPlace(part!).slice(1, -1)
      return /^(?:\d{4}-\d\d-\d\d|\d+ (?:day|week|month|year|hour|minute|second)s?)$/.test(inside) ? inside : found
    }),
    rule('\\|\\||(?<!&)&(?!&)', found => (found === '&' || meaning.join === '+' ? ' + ' : ' or ')),
    rule('(VALUE)\\.(?:length|size|count)\\b(?! *\\()', `${meaning.length}($1)`),
    ...(meaning.now === 'today'
      ? [rule('(?<=[<>=] *)now\\b(?! *[-+.])|(?<![\\w.]|[-+] *)now(?= *[<>=])', 'today')]
      : []),
  ]
  const part = (written: string): string => {
    let line = apply(operators, apply(compared, apply(names, written)))
    line = line.replace(/^(.*?)\?(?!\.)(?!\?)(.*):(.*)$/s, (_, condition, then, otherwise) =>
      conditional(condition.trim(), then.trim(), otherwise.trim()),
    )
    line = apply([rule('(VALUE) *\\?\\? *(VALUE)', 'coalesce($1, $2)')], line)
    line = line.replace(/\bcase when (.*?) then (.*?) else (.*?) end\b/is, '(if $1 then $2 else $3)')
    return spelled(line, known)
  }
  let line = apply(typed, text).replace(/"[^"]*"/g, put)
  line = apply(operators, apply(names, apply(numbers, line)))
  // The innermost brackets first; what is read is put aside as a whole.
  for (;;) {
    const found = /((?:[\w.]|\ue000\d+\ue001)+)?[ ]*\(([^()]*)\)/.exec(line)
    if (found === null) break
    const [all, name = '', inside = ''] = found
    line = line.slice(0, found.index) + put(called(name, all, inside, part)) + line.slice(found.index + all.length)
  }
  const result = inPlace(part(line)).replace(/ {2,}/g, ' ').trim()
  return result.replace(/\(\((if [^()]*)\)\)/g, '($1)').replace(/^\((if [^()]*)\)$/, '$1')
}

function called(name: string, all: string, inside: string, part: (text: string) => string): string {
  const word = name.toLowerCase()
  const given = inside.split(inside.includes(';') ? ';' : ',').map(each => part(lambda(each)).trim())
  const [, of, method] = /^(.+)\.(\w+)$/.exec(name) ?? []
  const asked = method === undefined ? undefined : methods[method.toLowerCase()]
  if (asked !== undefined) return asked(of!, ...given)
  if (word === 'count' && inside.trim() === '*') return all
  const [first, where] = given
  if (/^(?:any|all)$/.test(word) && /=>/.test(inside)) return `${word}(${first} where ${where})`
  const call = word === 'not' || word === 'nicht' ? undefined : calls[word]
  if (call !== undefined) return call(...given)
  const own = word.replace(/^math\./, '')
  if (name === '' || /^(?:in|and|or|not|then|else|where|is|between|contains|with)$/.test(word))
    return `${all.slice(0, all.length - inside.length - 2)}(${given.join(', ')})`
  return `${own === 'nicht' ? 'not ' : own}(${given.join(', ')})`
}

/** `l => l.damaged` as what stands behind a `where`. */
function lambda(written: string): string {
  const [, name, body] = /^\s*\(?(\w+)\)?\s*=>\s*(.*)$/s.exec(written) ?? []
  return body === undefined ? written : body.replace(new RegExp(`\\b${name}\\.`, 'g'), '').replace(/!(?=\w)/g, 'not ')
}

/** Names of fields and constants as they are declared, however they are written: `DueBack`, `due-back`, `DUE_BACK`. */
function spelled(line: string, { fields, limits, entity }: Spellings): string {
  const ownOf = (all: readonly string[]) => new Map(all.map(name => [plain(name), name]))
  const [own, constants] = [ownOf(fields), ownOf(limits)]
  const before =
    entity === null ? line : line.replace(new RegExp(`\\b${entity.replaceAll(' ', '_')}\\.(?=\\w)`, 'gi'), '')
  const joined = [...own.values(), ...constants.values()]
    .filter(name => name.includes('_'))
    .reduce((text, name) => text.replace(new RegExp(`\\b${name.replaceAll('_', '[ -]')}\\b`, 'gi'), name), before)
  return joined.replace(/(?<![\w.\ue000])(limits\.)?([A-Za-z]\w*)(?![\w(\ue001])/g, (all, limit = '', name: string) => {
    const meant = limit === '' ? own.get(plain(name)) : constants.get(plain(name))
    return meant === undefined ? all : `${limit}${meant}`
  })
}

const plain = (name: string): string => name.toLowerCase().replace(/[_ -]/g, '')

function apply(rules: Rewriting, text: string): string {
  return rules.reduce((line, [pattern, instead]) => line.replace(pattern, instead as string), text)
}
