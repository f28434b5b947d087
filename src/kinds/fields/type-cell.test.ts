import { expect, test } from 'vitest'
import { cellAt } from '../../document/cell.ts'
import { readType } from './index.ts'

const entities = new Map([
  ['Loan', 'loan'],
  ['Loan line', 'loan_line'],
  ['Date', 'date_'],
])

function read(type: string) {
  const text = `| x | ${type.replaceAll('|', '\\|')} |`
  return readType(cellAt({ path: 'app.md', text }, 5, text.length - 1), entities, 'Item.condition')
}

/** What is wrong, the marked part of the source and the suggestion. */
function wrong(type: string) {
  const reading = read(type)
  if (!('wrong' in reading)) return reading.kind.name
  const { span } = reading
  return [reading.wrong, span?.file.text.slice(span.start, span.end), reading.suggestion]
}

test.each([
  ['', ['a type is missing', undefined, undefined]],
  ['Text 40', ['`Text` is written in small letters', 'Text', 'text']],
  ['tekst 40', ['there is no type named `tekst`', 'tekst', 'text']],
  ['text forty', ['`forty` is not a length; write a number of characters', 'forty', undefined]],
  ['text 0', ['the length must be between 1 and 500; for more, write `long text`', '0', undefined]],
  ['text 501', ['the length must be between 1 and 500; for more, write `long text`', '501', undefined]],
  ['varchar 40', ['there is no type or entity named `varchar 40`', 'varchar 40', 'text 40']],
  ['varchar(40)', ['there is no type or entity named `varchar(40)`', 'varchar(40)', 'text 40']],
  ['numeric(10, 2)', ['there is no type or entity named `numeric(10, 2)`', 'numeric(10, 2)', 'decimal 10.2']],
  ['text 80 characters', ['`80 characters` is not a length; write a number of characters', '80 characters', '80']],
  ['enum: New, Old', ['there is no type or entity named `enum: New, Old`', 'enum: New, Old', 'choice: New, Old']],
  ['New, Old', ['there is no type or entity named `New, Old`', 'New, Old', 'choice: New, Old']],
  ['choice: New / Old', ['choices are parted by commas', 'New / Old', 'New, Old']],
  ['Ja/Nein', ['there is no type or entity named `Ja/Nein`', 'Ja/Nein', 'yes/no']],
  ['Betrag', ['there is no type or entity named `Betrag`', 'Betrag', 'money EUR']],
  ['link to Loan', ['this type is written `Loan`', 'link to Loan', 'Loan']],
  ['foreign key Loan', ['this type is written `Loan`', 'foreign key Loan', 'Loan']],
  ['Loan line[]', ['this type is written `list of Loan line`', 'Loan line[]', 'list of Loan line']],
  ['many Loan line', ['this type is written `list of Loan line`', 'many Loan line', 'list of Loan line']],
  ['boolean', ['there is no type or entity named `boolean`', 'boolean', 'yes/no']],
  ['email', ['there is no type or entity named `email`', 'email', 'e-mail']],
  ['Laon', ['there is no type or entity named `Laon`', 'Laon', 'Loan']],
  ['loan line', ['there is no type or entity named `loan line`', 'loan line', 'Loan line']],
  ['Geography', ['there is no type or entity named `Geography`', 'Geography', undefined]],
  ['integer 5', ['nothing follows `integer`; a range is written as rules: `min 0; max 10`', '5', undefined]],
  ['decimal 2.2', ['a decimal has 1 to 38 digits, and fewer after the point than in all', '2.2', undefined]],
  ['decimal 8', ['write digits in all and digits after the point, like `decimal 8.2`', '8', undefined]],
  ['money', ['a currency is missing; write its three letters, like `money EUR`', undefined, 'money EUR']],
  ['money eur', ['`eur` is not a currency; write its three letters (ISO 4217)', 'eur', 'EUR']],
  ['money €', ['`€` is not a currency; write its three letters (ISO 4217)', '€', 'EUR']],
  ['choice New, Old', ['this type is written `choice: Name, Name, …`', 'choice New, Old', 'choice: New, Old']],
  ['choice:', ['a choice is missing here; write them like `choice: New, Used`', '', undefined]],
  ['choice: New,, Old', ['a choice is missing here; write them like `choice: New, Used`', '', undefined]],
  ['choice: New, old', ['choices begin with a capital letter', 'old', 'Old']],
  ['choice: New, New', ['`New` is listed twice', 'New', undefined]],
  ['choice: A|B', ['a choice cannot have quotes or bars in it', 'A\\|B', undefined]],
  ['list of', ['an entity is missing; write it like `list of Loan line`', undefined, undefined]],
  ['list of Loan lines', ['there is no entity named `Loan lines`', 'Loan lines', 'Loan line']],
  ['auto number', ['a picture is missing; write one like `auto number LN-{yyyy}-{00000}`', undefined, undefined]],
  [
    'auto number LN-{year}-{000}',
    ['`{year}` is not a part of a number; write {yyyy}, {yy}, {mm}, {dd} or zeros like {00000}', '{year}', undefined],
  ],
  ['auto number LN-{yyyy}', ['a picture has exactly one place for the number, like {00000}', 'LN-{yyyy}', undefined]],
  [
    'image 5 MB',
    ['nothing follows `image`; kinds and sizes are rules, like `types JPEG, PNG; at most 5 MB`', '5 MB', undefined],
  ],
])('%s', (type, expected) => {
  expect(wrong(type)).toEqual(expected)
})

test('an entity may be called as a type is, with a capital letter', () => {
  expect(read('Date')).toMatchObject({ parameters: { entity: 'date_' }, type: { kind: 'reference', entity: 'date_' } })
  expect(read('date')).toMatchObject({ type: { kind: 'date' } })
})

test('Person is always there', () => {
  expect(read('Person')).toMatchObject({ parameters: { entity: 'person' } })
})

test('the longest name counts, whatever the white space', () => {
  expect(read('date  and time')).toMatchObject({ type: { kind: 'moment' } })
  expect(read('long text 20')).toMatchObject({ parameters: { length: 20 } })
})

test('a list of choices knows whose it is', () => {
  expect(read('choice: New, Old')).toMatchObject({ type: { of: 'Item.condition', options: ['New', 'Old'] } })
})
