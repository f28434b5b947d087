import { describe, expect, test } from 'vitest'
import { cellAt } from '../document/cell.ts'
import type { Cell } from '../document/source.ts'
import { expressionCodes } from './codes.ts'
import { evaluate } from './evaluate.ts'
import { readExpression, readTemplate } from './read.ts'
import { cellOf, expressionOf, loanScope as scope, shown, told } from './testing.ts'
import type { Type, Wire } from './type.ts'

describe('one mistake is told once, where it is, with its cure', () => {
  test.each<[string, string]>([
    ['due_bak > out_on', 'N0201 no field named `due_bak`; did you mean `due_back`? ⟦due_bak⟧ → due_back > out_on'],
    [
      'due_back > out_on + due_bak',
      'N0201 no field named `due_bak`; did you mean `due_back`? ⟦due_bak⟧ → due_back > out_on + due_back',
    ],
    ['lines.item.vale > 3', 'N0201 no field named `vale` in Item; did you mean `value`? ⟦vale⟧ → lines.item.value > 3'],
    ['xyz = 1', 'N0201 no field named `xyz` ⟦xyz⟧'],
    [
      'any(lines where number > 1)',
      'N0201 no field named `number` in Loan line; did you mean `this.number`? ⟦number⟧ → any(lines where this.number > 1)',
    ],
    ['lenght(title) > 3', 'N0202 no function named `lenght`; did you mean `length`? ⟦lenght⟧ → length(title) > 3'],
    [
      'days <= limits.max_loan_day',
      'N0203 no constant named `max_loan_day`; did you mean `max_loan_days`? ⟦max_loan_day⟧ → days <= limits.max_loan_days',
    ],
    [
      'any(Laon where title = "x")',
      'N0204 no entity named `Laon`; did you mean `Loan`? ⟦Laon⟧ → any(Loan where title = "x")',
    ],
    [
      'state = Aproved',
      'N0207 `Aproved` is not one of Draft, Requested, Approved, Out, Returned ⟦Aproved⟧ → state = Approved',
    ],
    ['state in (Draft, Shut)', 'N0207 `Shut` is not one of Draft, Requested, Approved, Out, Returned ⟦Shut⟧'],
    ['state = draft', 'N0207 `draft` is not one of Draft, Requested, Approved, Out, Returned ⟦draft⟧ → state = Draft'],
    [
      'done or Requested',
      'N0208 `Requested` stands alone; a choice must be compared with a field that can have it ⟦Requested⟧',
    ],
    [
      'due_back = "2026-03-28"',
      'N0210 a date and a text cannot be compared ⟦due_back = "2026-03-28"⟧ → due_back = 2026-03-28',
    ],
    [
      'days <= 14 days',
      'N0210 a whole number and a number of calendar days, months or years cannot be compared ⟦days <= 14 days⟧ → days <= 14',
    ],
    [
      'days <= 2 weeks',
      'N0210 a whole number and a number of calendar days, months or years cannot be compared ⟦days <= 2 weeks⟧ → days <= 14',
    ],
    ['title = Sony', 'N0210 the choice `Sony` and a text cannot be compared ⟦Sony⟧ → title = "Sony"'],
    ['borrower = keeper.name', 'N0210 a reference to Person and a text cannot be compared ⟦borrower = keeper.name⟧'],
    ['handed_out_at > today', 'N0210 a date and time and a date cannot be compared ⟦handed_out_at > today⟧'],
    ['title + 1 = "x"', 'N0211 `+` does not work with a text and a whole number ⟦title + 1⟧'],
    ['out_on + 2 hours > today', 'N0211 `+` does not work with a date and a duration ⟦out_on + 2 hours⟧'],
    ['2 + out_on > today', 'N0211 `+` does not work with a whole number and a date ⟦2 + out_on⟧'],
    [
      'out_on + 2.5 * 1 day > today',
      'N0211 `*` does not work with a decimal number and a number of calendar days, months or years ⟦2.5 * 1 day⟧',
    ],
    ['2 hours * 2 hours > 1 hour', 'N0211 `*` does not work with a duration and a duration ⟦2 hours * 2 hours⟧'],
    ['date(out_on) = today', 'N0216 `date` takes a date and time here, not a date ⟦out_on⟧'],
    ['total * total > 3', 'N0211 `*` does not work with an amount in EUR and an amount in EUR ⟦total * total⟧'],
    ['title < "m"', 'N0212 a text has no order, so `<` cannot compare it ⟦title < "m"⟧'],
    ['state > Draft', 'N0212 a choice of loan.state has no order, so `>` cannot compare it ⟦state > Draft⟧'],
    ['days and done', 'N0214 this is a whole number; a condition is needed here ⟦days⟧'],
    ['round() = 3', 'N0215 `round` takes one value or 2; none is given ⟦round()⟧'],
    ['all(lines)', 'N0215 `all` takes a list and one condition; one is given ⟦all(lines)⟧'],
    [
      'sum(lines) > 3',
      'N0216 `sum` takes numbers, amounts or lengths of time of a list here, not the records themselves ⟦lines⟧',
    ],
    ['sum(days) > 3', 'N0216 `sum` takes a list here, not a whole number ⟦days⟧'],
    ['length(days) > 3', 'N0216 `length` takes a text here, not a whole number ⟦days⟧'],
    [
      'round(ratio, days) > 3',
      'N0216 `round` takes a written number of places, 0 to 10, here, not a whole number ⟦days⟧',
    ],
    [
      'borrower.manager.manager.manager.name = "x"',
      'N0217 this path takes 4 steps from record to record; at most 3 are allowed ⟦borrower.manager.manager.manager.name⟧',
    ],
    ['out_on.year = 2026', 'N0218 `out_on` is a date, so nothing can be read from it ⟦out_on⟧'],
    ['lines.value > 3', 'N0219 `lines.value` is a list; say which single value you need ⟦lines.value⟧'],
    ['lines is empty', 'N0219 `lines` is a list; say which single value you need ⟦lines⟧ → count(lines) = 0'],
    [
      'first(lines.parts.cost) > 3',
      'N0219 `lines.parts.cost` is a list; say which single value you need ⟦lines.parts.cost⟧',
    ],
    ['Loan.title = "x"', 'N0103 `Loan.title` is not part of this language; write `title` ⟦Loan.title⟧ → title = "x"'],
    ['answer.id = "x"', 'N0220 `answer` is not available here: it is what a call answers ⟦answer⟧'],
    ['settings.url = "x"', 'N0220 `settings` is not available here: settings belong to calls ⟦settings⟧'],
    [
      'none(other Item where value > 1)',
      'N0220 `other Item` is not available here: this rule is not about Item ⟦other Item⟧',
    ],
    ['handed_out_at + 2 days < now', 'N0221 a moment has a time zone, in which days have no fixed length ⟦2 days⟧'],
    ['total > fee', 'N0222 an amount in EUR and an amount in USD are different currencies or none ⟦total > fee⟧'],
    ['total + fee > 3', 'N0222 an amount in EUR and an amount in USD are different currencies or none ⟦total + fee⟧'],
    ['total > ratio', 'N0222 an amount in EUR and a decimal number are different currencies or none ⟦total > ratio⟧'],
    [
      'notice = 1 month',
      'N0223 months and days cannot be compared: a month has no fixed number of days ⟦notice = 1 month⟧',
    ],
    [
      'number in (1, round(ratio))',
      'N0224 the list after `in` has a value that may be empty, so `in` could never be certain ⟦round(ratio)⟧',
    ],
    ['old.worth > 3', 'N0226 `old.worth` is computed from other records, whose earlier values are not stored ⟦old⟧'],
    ['out_on + 5_000 years > today', 'N0228 `5_000 years` is too large a duration ⟦5_000 years⟧'],
    ['out_on + 1.5 months > today', 'N0228 `1.5 months` is too large a duration ⟦1.5 months⟧'],
    [
      'sum(lines.value by value) is empty',
      'N0257 what groups go by is written from where the figures are: `lines.value` ⟦value⟧ → sum(lines.value by lines.value) is empty',
    ],
    [
      'count(Item by category) is empty',
      'N0257 what groups go by is written from where the figures are: `Item.category` ⟦category⟧ → count(Item by Item.category) is empty',
    ],
    [
      'sum(lines.value by title) is empty',
      'N0257 the figures, and what groups go by, are of the same rows or records ⟦title⟧',
    ],
    [
      'sum(lines.value by Item.value) is empty',
      'N0257 the figures, and what groups go by, are of the same rows or records ⟦Item.value⟧',
    ],
    [
      'count(lines by lines.item) is empty',
      'N0257 groups go by texts, dates, times, numbers, amounts, yes/no or choices, and not by a reference to Item ⟦lines.item⟧',
    ],
    [
      'sum(lines.value by lines.value order by value) is empty',
      'N0257 groups stand in the order of what they go by ⟦value⟧',
    ],
    [
      'sum(lines.value by lines.value, lines.value) is empty',
      'N0257 `where` and `by` stand behind the last figure ⟦lines.value⟧',
    ],
    [
      'any(lines by lines.value)',
      'N0257 `by` goes with `sum`, `count`, `min` and `max` of rows or records alone ⟦lines.value⟧',
    ],
    ['round(days by days) > 1', 'N0257 `by` goes with `sum`, `count`, `min` and `max` of rows or records alone ⟦days⟧'],
    [
      'sum(lines.value by lines.value) > 3',
      'N0210 a text and a whole number cannot be compared ⟦sum(lines.value by lines.value) > 3⟧',
    ],
    ['keeper within lines', 'N0219 `lines` is a list; say which single value you need ⟦lines⟧'],
    [
      'lines.item.category in members',
      'N0210 several values, each a reference to Category and a list of Person cannot be compared ⟦lines.item.category in members⟧',
    ],
    [
      'number in days',
      'N0213 this is a whole number; a list of records, or values in brackets, is needed here ⟦days⟧ → number in (days)',
    ],
    ['coalesce(days where done, 2) = 2', 'N0230 `where` works only with a list or the records of an entity ⟦done⟧'],
    ['-title = 3', 'N0213 this is a text; a number, an amount of money or a length of time is needed here ⟦title⟧'],
    ['me.name = "Ada"', 'N0103 `me` is not part of this language; write `my` ⟦me⟧ → my.name = "Ada"'],
    [
      'me in lines.item',
      'N0213 this is several values, each a reference to Item; a list of records, or values in brackets, is needed here ⟦lines.item⟧ → any(lines where item = me)',
    ],
    ['finish = state', 'N0210 a choice of loan.finish and a choice of loan.state cannot be compared ⟦finish = state⟧'],
    ['photo = photo', 'N0210 a file and a file cannot be compared ⟦photo = photo⟧'],
  ])('%s', (text, expected) => {
    expect(told(text)).toEqual([expected])
  })
})

describe('what cannot be read', () => {
  test.each<[string, string]>([
    ['', 'N0101 an expression is missing here ⟦⟧'],
    ['done and', 'N0101 an expression is missing at the end ⟦⟧'],
    ['done and and done', 'N0102 `and` does not belong here; a value, a field or a condition is expected ⟦and⟧'],
    ['if done then empty else empty', 'N0102 `empty` does not belong here; a value is expected ⟦empty⟧'],
    ['done done', 'N0102 `done` does not belong here; the end is expected ⟦done⟧'],
    ['days ? 1 : 2', 'N0102 `?` does not belong here; the end is expected ⟦?⟧'],
    ['if done then 1', 'N0115 `else` is missing ⟦⟧'],
    [
      'state not Draft',
      'N0102 `Draft` does not belong here; `in`, `between`, `contains`, `starts with` or `within` is expected ⟦Draft⟧',
    ],
    ["title = 'x'", 'N0103 `\'` is not part of this language; write `"` ⟦\'⟧ → title = "x"'],
    ['done || days = 1', 'N0103 `||` is not part of this language; write `or` ⟦||⟧ → done or days = 1'],
    ['done && days = 1', 'N0103 `&&` is not part of this language; write `and` ⟦&&⟧ → done and days = 1'],
    ['done AND days = 1', 'N0103 `AND` is not part of this language; write `and` ⟦AND⟧ → done and days = 1'],
    ['done||days = 1', 'N0103 `||` is not part of this language; write `or` ⟦||⟧ → done or days = 1'],
    ['!done', 'N0103 `!` is not part of this language; write `not` ⟦!⟧ → not done'],
    ['days == 1', 'N0103 `==` is not part of this language; write `=` ⟦==⟧ → days = 1'],
    ['keeper == null', 'N0103 `null` is not part of this language; write `is empty` ⟦null⟧ → keeper is empty'],
    ['keeper <> NULL', 'N0103 `NULL` is not part of this language; write `is not empty` ⟦NULL⟧ → keeper is not empty'],
    ['days <> 1', 'N0103 `<>` is not part of this language; write `!=` ⟦<>⟧ → days != 1'],
    ['days ≥ 1', 'N0103 `≥` is not part of this language; write `>=` ⟦≥⟧ → days >= 1'],
    ['keeper is null', 'N0103 `null` is not part of this language; write `empty` ⟦null⟧ → keeper is empty'],
    ['1 < days < 3', 'N0104 comparisons cannot be chained ⟦1 < days < 3⟧ → 1 < days and days < 3'],
    ['title = "x', 'N0105 this text has no closing quote ⟦"x⟧'],
    ['out_on = 2026-02-30', 'N0106 `2026-02-30` is not a date ⟦2026-02-30⟧'],
    ['now > 2026-03-28T10:00', 'N0106 `2026-03-28T10:00` is not a moment ⟦2026-03-28T10:00⟧'],
    ['9:75 = 9:00', 'N0106 `9:75` is not a time of day ⟦9:75⟧'],
    [
      'out_on + 3 weaks > today',
      'N0109 there is no unit `weaks`; did you mean `weeks`? ⟦weaks⟧ → out_on + 3 weeks > today',
    ],
    ['count(lines', 'N0110 this bracket is never closed ⟦(⟧'],
    ['(days + 1 = 3', 'N0110 this bracket is never closed ⟦(⟧'],
    ['title = "a\0b"', 'N0111 the character U+0000 cannot be stored ⟦\0⟧'],
    ['title = "a\ud800b"', 'N0111 the character U+D800 cannot be stored ⟦\ud800⟧'],
    ['if late then title else ""', 'N0112 an empty text is stored as no value; write `empty` ⟦""⟧'],
    [
      'replace(title, "x", "") = "Tent"',
      'N0112 an empty text is stored as no value; write `without(title, "x")` ⟦""⟧ → without(title, "x") = "Tent"',
    ],
    ['title = ""', 'N0112 an empty text is stored as no value; write `is empty` ⟦""⟧ → title is empty'],
    [
      `${'('.repeat(41)}done${')'.repeat(41)}`,
      'N0108 this expression is nested too deeply; at most 40 levels are allowed ⟦(⟧',
    ],
    [`${'not '.repeat(50)}done`, 'N0108 this expression is nested too deeply; at most 40 levels are allowed ⟦not⟧'],
  ])('%s', (text, expected) => {
    expect(told(text)).toEqual([expected])
  })

  test('400 parts are read, 401 are not', () => {
    const sum = (parts: number) => Array.from({ length: parts }, () => '1').join(' + ')
    expect(told(`${sum(199)} = 1`)).toEqual([])
    expect(told(`${sum(201)} = 1`)[0]).toMatch(/^N0107 this expression has more than 400 parts/)
  })

  test('40 levels are read', () => {
    expect(told(`${'('.repeat(39)}done${')'.repeat(39)}`)).toEqual([])
  })

  test('two foreign words are two mistakes, and nothing follows from them', () => {
    expect(told('due_bak && done || days == 1').map(one => one.slice(0, 5))).toEqual(['N0103', 'N0103', 'N0103'])
  })
})

describe('a constant that is left open without a type', () => {
  const environment = {
    row: { id: '1', number: '2', done: true },
    old: null,
    me: null,
    my: null,
    today: '2027-03-01',
    now: '2027-03-01T09:00:00.000Z',
    limits: {},
    related: () => undefined,
  }

  test.each<[string, Type | undefined, Wire, readonly string[]]>([
    [
      'if number = 2 then 1 else if limits.undecided then 2 else 3',
      { kind: 'integer' },
      '1',
      ['number', 'limits.undecided'],
    ],
    [
      'if number = 3 then 1 else if limits.undecided then 2 else 3',
      { kind: 'integer' },
      '3',
      ['number', 'limits.undecided'],
    ],
    ['done or number > limits.undecided', undefined, true, ['done', 'number', 'limits.undecided']],
    ['done and not limits.undecided', undefined, null, ['done', 'limits.undecided']],
    ['total + limits.undecided', { kind: 'money', currency: 'EUR' }, null, ['total', 'limits.undecided']],
    ['out_on + limits.undecided * 1 day', { kind: 'date' }, null, ['out_on', 'limits.undecided']],
    [
      'done or limits.undecided and limits.undecided_too > 3',
      undefined,
      true,
      ['done', 'limits.undecided', 'limits.undecided_too'],
    ],
    // No constant is of a list of choices.
    ['done or limits.undecided = state', undefined, null, ['limits.undecided']],
  ])('%s', (text, expected, value, reads) => {
    const expression = expressionOf(text, scope, expected ?? 'yes/no')
    expect(expression.reads).toEqual(reads)
    expect(evaluate(expression, environment)).toBe(value)
  })

  test('what is wrong beside it is told', () => {
    expect(told('limits.undecided and numbr = 2')).toEqual([
      'N0201 no field named `numbr`; did you mean `number`? ⟦numbr⟧ → limits.undecided and number = 2',
    ])
  })
})

describe('what must come out', () => {
  test.each<[string, Type | 'yes/no', string[]]>([
    ['days', { kind: 'text' }, ['N0213 this is a whole number; a text is needed here ⟦days⟧']],
    ['days', { kind: 'decimal' }, []],
    ['ratio', { kind: 'integer' }, ['N0213 this is a decimal number; a whole number is needed here ⟦ratio⟧']],
    ['0', { kind: 'money', currency: 'EUR' }, []],
    [
      'total',
      { kind: 'money', currency: 'USD' },
      ['N0213 this is an amount in EUR; an amount in USD is needed here ⟦total⟧'],
    ],
    [
      'sum(lines.item.unit) * 2.5 + total',
      { kind: 'money', currency: 'EUR' },
      [
        'N0235 this is an amount in EUR with 4 decimals; an amount in EUR is needed here ⟦sum(lines.item.unit) * 2.5 + total⟧ → round(sum(lines.item.unit) * 2.5 + total, 2)',
      ],
    ],
    ['round(sum(lines.item.unit), 2)', { kind: 'money', currency: 'EUR' }, []],
    ['round_up(sum(lines.item.unit), 3)', { kind: 'money', currency: 'EUR', places: 3 }, []],
    ['total * 2.5', { kind: 'money', currency: 'EUR', places: 4 }, []],
    ['Draft', { kind: 'choice', of: 'loan.state', options: ['Draft', 'Out'] }, []],
    [
      'Drat',
      { kind: 'choice', of: 'loan.state', options: ['Draft', 'Out'] },
      ['N0207 `Drat` is not one of Draft, Out ⟦Drat⟧ → Draft'],
    ],
    ['days', 'yes/no', ['N0214 this is a whole number; a condition is needed here ⟦days⟧']],
    [
      'lines.value',
      { kind: 'money', currency: 'EUR' },
      ['N0219 `lines.value` is a list; say which single value you need ⟦lines.value⟧'],
    ],
    ['lines.value', { kind: 'values', of: { kind: 'money', currency: 'EUR' } }, []],
    ['yes', 'yes/no', []],
    ['me', { kind: 'reference', entity: 'person' }, []],
  ])('%s as %o', (text, expected, found) => {
    expect(told(text, expected)).toEqual(found)
  })

  test('where nobody is signed in, there is no `me`', () => {
    expect(told('borrower = me', 'yes/no', { ...scope, me: null })).toEqual([
      'N0220 `me` is not available here: nobody is signed in ⟦me⟧',
    ])
  })

  test('where nothing changes, there is no `old`', () => {
    expect(told('old.days = 3', 'yes/no', { ...scope, old: false })).toEqual([
      'N0220 `old` is not available here: only a change has a record before it ⟦old⟧',
    ])
  })

  test('where there is no record, a name is no field', () => {
    expect(told('days = 3', 'yes/no', { ...scope, self: null })[0]).toMatch(/^N0220 `days` is not available here/)
  })
})

test('the place is exact behind an escaped bar, and a fix escapes its own', () => {
  const text = '| `title = "a\\|b" \\|\\| due_bak > out_on` |'
  const cell: Cell = cellAt({ path: 'x.md', text }, 1, text.length - 1)
  const [bars, ...others] = readExpression(cell, scope).found
  expect(text.slice(bars!.span.start, bars!.span.end)).toBe('\\|\\|')
  expect(others).toEqual([])
  const field = '| `title = "a\\|b" or due_bak > out_on` |'
  const [unknown] = readExpression(cellAt({ path: 'x.md', text: field }, 1, field.length - 1), scope).found
  expect(field.slice(unknown!.span.start, unknown!.span.end)).toBe('due_bak')
  const negative = '| `purpose != "a\\|b"` |'
  const [asked] = readExpression(cellAt({ path: 'x.md', text: negative }, 1, negative.length - 1), scope).found
  expect(asked!.fixes[0]!.edits[0]!.text).toBe('purpose is not "a\\|b"')
})

describe('what people are used to from elsewhere is told once, and its fix writes what it means here', () => {
  test.each<[string, string]>([
    ['purpose is “x”', 'purpose is "x"'],
    ['purpose is „x“', 'purpose is "x"'],
    ["title = 'x' && done", 'title = "x" and done'],
    ['days – 1 > 3', 'days - 1 > 3'],
    ['days × 2 > 3', 'days * 2 > 3'],
    ['due_back = 2 working days after out_on', 'due_back = working_days_after(out_on, 2)'],
    ['DueBack > OutOn', 'due_back > out_on'],
    ['due-back > out_on', 'due_back > out_on'],
    ['days <= limits.max-loan-days', 'days <= limits.max_loan_days'],
    ["STATE == 'Approved' && LEN(purpose) > 3", 'state = "Approved" and length(purpose) > 3'],
    ['due_back is after out_on', 'due_back > out_on'],
    ['borrower is not equal to me', 'borrower != me'],
    ["purpose isn't empty", 'purpose is not empty'],
    ['purpose not empty', 'purpose is not empty'],
    ['state is one of (Draft, Out)', 'state in (Draft, Out)'],
    ['state is not in [Draft, Out]', 'state not in (Draft, Out)'],
    ['state in Draft', 'state in (Draft)'],
    ['state = Draft or Out', 'state in (Draft, Out)'],
    ['days between 1 to 5', 'days between 1 and 5'],
    ['total > 1.000,50', 'total > 1000.50'],
    ["total > €1'000", 'total > 1000'],
    ['out_on >= 3 February 2026', 'out_on >= 2026-02-03'],
    ['out_on >= 03.02.26', 'out_on >= 2026-02-03'],
    ['due_back >= out_on + 2 working days', 'due_back >= working_days_after(out_on, 2)'],
    ['due_back > out_on + 3 Tage', 'due_back > out_on + 3 days'],
    ['due_back = 2 days after out_on', 'due_back = out_on + 2 days'],
    ['purpose IS NULL', 'purpose is empty'],
    ["purpose like '%x%'", 'purpose contains "x"'],
    ['COUNT(lines) > 0', 'count(lines) > 0'],
    ['lines.some(l => l.damaged)', 'any(lines where damaged)'],
    ['lines.every(l => !l.damaged)', 'all(lines where not damaged)'],
    ['title.includes("x")', 'title contains "x"'],
    ['title != ""', 'title is not empty'],
    ['AND(out_on <= today; days > 2)', '(out_on <= today and days > 2)'],
    ['NOT(ISBLANK(purpose))', 'not(purpose is empty)'],
    ['COUNTIF(lines; damaged) > 1', 'count(lines where damaged) > 1'],
    ['IF(days > 2; 1; 0) = 1', '(if days > 2 then 1 else 0) = 1'],
    ['(days > 2 ? 1 : 0) = 1', '(if days > 2 then 1 else 0) = 1'],
    ['days ?? 0 > 1', 'coalesce(days, 0) > 1'],
    ['title & "x" = "yx"', 'title + "x" = "yx"'],
    ['title || "x" = "yx"', 'title + "x" = "yx"'],
    ['DATEDIF(out_on; due_back; "d") > 3', 'days_between(out_on, due_back) > 3'],
    ['AVG(lines.value) > 3', 'sum(lines.value) / count(lines) > 3'],
    ['new Date() > handed_out_at', 'now > handed_out_at'],
  ])('%s', (text, instead) => {
    const [one, ...others] = readExpression(cellOf(text), scope, 'yes/no').found
    expect(others).toEqual([])
    expect(shown(text, one!).split(' → ').slice(1)).toEqual([instead])
    expect(told(instead, 'yes/no')).toEqual([])
  })

  test.each(['days % 2 = 0', 'count(*) > 3', 'now + 1 day > now'])('%s: nobody knows', text => {
    expect(told(text, 'yes/no').flatMap(one => one.split(' → ').slice(1))).toEqual([])
  })
})

describe('texts with holes', () => {
  const parts = (text: string) =>
    readTemplate(cellOf(text), scope).template?.parts.map(part =>
      part.kind === 'text'
        ? part.text
        : part.kind === 'value'
          ? [part.expression.reads.join(), part.format]
          : [part.expression.reads.join(), ...part.forms],
    )

  test('values, formats, plurals, braces', () => {
    expect(parts('At most {limits.max_loan_days} days.')).toEqual([
      'At most ',
      ['limits.max_loan_days', null],
      ' days.',
    ])
    expect(parts('{due_back:long}')).toEqual([['due_back', 'long']])
    expect(parts('{count(lines)} {count(lines)|item|items of mine}!')).toEqual([
      ['lines', null],
      ' ',
      ['lines', 'item', 'items of mine'],
      '!',
    ])
    expect(parts('{count(lines)|plik|pliki|plików}')).toEqual([['lines', 'plik', 'pliki', 'plików']])
    expect(parts('{{x}} } {done}')).toEqual(['{x} } ', ['done', null]])
    expect(parts('')).toEqual([])
  })

  test.each<[string, string[]]>([
    [
      'Bring {due_bak} back',
      ['N0201 no field named `due_bak`; did you mean `due_back`? ⟦due_bak⟧ → Bring {due_back} back'],
    ],
    ['{a} and {b}', ['N0201 no field named `a` ⟦a⟧', 'N0201 no field named `b` ⟦b⟧']],
    ['{due_back:lang}', ['N0114 there is no format `lang`; did you mean `long`? ⟦lang⟧ → {due_back:long}']],
    ['{due_back', ['N0113 this brace is never closed ⟦{⟧']],
    ['x {due_back and so on', ['N0113 this brace is never closed ⟦{⟧']],
    ['{}', ['N0102 `}` does not belong here; a value, a field or a condition is expected ⟦}⟧']],
    ['{due_back out_on}', ['N0102 `out_on` does not belong here; `}` is expected ⟦out_on⟧']],
    ['{title|one|many}', ['N0213 this is a text; a decimal number is needed here ⟦title⟧']],
    ['{lines.value}', []],
  ])('%s', (text, found) => {
    expect(readTemplate(cellOf(text), scope).found.map(one => shown(text, one))).toEqual(found)
  })
})

test('every code has an own number in its family, and no message mentions tokens', () => {
  for (const [code, { message }] of Object.entries(expressionCodes)) {
    expect(code).toMatch(/^N0[12]\d\d$/)
    expect(message).not.toMatch(/token|syntax/i)
    expect(message).not.toMatch(/\.$/)
  }
})
