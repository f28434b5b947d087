import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { applyFix } from '../document/fix.ts'
import { thingsOf } from '../trace/explain.ts'
import { placesNaming, shortName, thingAt } from './names.ts'
import { type Project, projects } from './project.ts'
import { rename } from './rename.ts'

const examples = join(import.meta.dirname, '../../examples')
const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** `edit` changes the text as the editor has it. */
function opened(name: string, edit: (text: string) => string = text => text): Project {
  const folder = mkdtempSync(join(tmpdir(), 'names-'))
  folders.push(folder)
  cpSync(join(examples, name), folder, { recursive: true })
  const uri = pathToFileURL(join(folder, `${name}.md`)).href
  const plain = projects(() => undefined).of(uri)!
  const text = edit(plain.fileOf(uri)!.text)
  return projects(asked => (asked === uri ? text : undefined)).of(uri)!
}

const desk = opened('loan-desk')
const [file] = desk.reading.files as [Project['reading']['files'][number]]

/** What stands at `name` in the line that contains `line`. */
function at(line: string, name: string): string | null {
  const start = file.text.indexOf(line)
  expect(start, line).toBeGreaterThan(-1)
  const offset = file.text.indexOf(name, start) + 1
  return thingAt(desk, file, offset)?.title ?? null
}

test('a name is told for what it is, where it is declared and where it stands for it; prose and words of the language are none', () => {
  expect(at('| due_back | date', 'due_back')).toBe('field due_back of Loan')
  expect(at('| V-1 |', 'due_back')).toBe('field due_back of Loan')
  expect(at('| V-1 |', 'E-DUE-1')).toBe('error E-DUE-1 (HTTP 422)')
  expect(at('| hand out |', 'Clerk')).toBe('role Clerk')
  expect(at('| hand out |', 'Approved')).toBe('state Approved of Loan')
  expect(at('| hand out |', 'hand out')).toBe('step hand out of Loan')
  expect(at('limits.max_loan_days', 'max_loan_days')).toBe('constant max_loan_days')
  expect(at('A loan is one visit', 'loan')).toBe(null)
  expect(at('| due_back | date', 'date')).toBe(null)
})

test('every place that names a field is found, in files of sample data when it is renamed, and the data stays', () => {
  const field = thingsOf(desk.reading.app!).find(({ title }) => title === 'field due_back of Loan')!
  const places = placesNaming(desk, field)
  expect(places.length).toBeGreaterThan(5)
  expect(new Set(places.map(({ file, start, end }) => file.text.slice(start, end)))).toEqual(new Set(['due_back']))
  const renamed = rename(desk, field, 'return_by')
  if ('refused' in renamed) throw new Error(renamed.refused)
  const texts = applyFix({ title: '', edits: renamed.edits })
  const all = [...texts.values()].join('\n')
  expect(texts.get(file)).toContain('| return_by (was due_back) | date')
  expect(all.match(/(?<!was )\bdue_back\b/g)).toBe(null)
  const again = desk.readWith(new Map([...texts].map(([{ path }, text]) => [path, text])))
  expect(again.found.filter(({ severity }) => severity === 'error')).toEqual([])
})

test('a name of several words stands in quotes where an expression needs them', () => {
  const state = thingsOf(desk.reading.app!).find(({ title }) => title === 'state Declined of Loan')!
  const renamed = rename(desk, state, 'Turned down')
  if ('refused' in renamed) throw new Error(renamed.refused)
  const text = applyFix({ title: '', edits: renamed.edits }).get(file)!
  expect(text).toContain('| Turned down (was Declined) |')
  expect(text).toMatch(/\("Turned down"|, "Turned down"|"Turned down"\)/)
})

test('what cannot be called so everywhere is refused with the reason, and so is a second (was …)', () => {
  const person = thingsOf(desk.reading.app!).find(({ title }) => title === 'entity Person')!
  expect(rename(desk, person, 'Member')).toEqual({
    refused: expect.stringContaining("'Person' cannot be called 'Member'"),
  })
  const loan = thingsOf(desk.reading.app!).find(({ title }) => title === 'entity Loan')!
  expect(rename(desk, loan, 'Visit')).toEqual({ refused: expect.stringContaining('It was renamed before.') })
  const due = thingsOf(desk.reading.app!).find(({ title }) => title === 'field due_back of Loan')!
  expect(rename(desk, due, 'two words')).toEqual({ refused: expect.any(String) })
  expect(rename(desk, due, 'out_on')).toEqual({ refused: expect.any(String) })
  expect(rename(desk, due, 'a|b')).toEqual({ refused: "'a|b' can be no name." })
})

test('names of every kind can be changed, and each change checks clean', () => {
  const things = thingsOf(desk.reading.app!).filter(thing => shortName(thing) !== null)
  // One in six is enough to meet each kind; Person is built in.
  const refused = things.filter((thing, index) => {
    const name = shortName(thing)!
    const to = /^[A-Z]-/.test(name) ? `${name}-9` : /^[a-z]/.test(name) ? `${name}x` : `${name} anew`
    return index % 6 === 0 && 'refused' in rename(desk, thing, to)
  })
  expect(refused.map(({ title }) => title)).toEqual(['entity Person'])
})
