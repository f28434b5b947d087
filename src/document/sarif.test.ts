import { expect, test } from 'vitest'
import { readDocument } from './markdown.ts'
import { toSarif } from './sarif.ts'

const files: Readonly<Record<string, string>> = {
  'my desk.md': '# A\n\n- **Part:** [p](p/ü.md)\n- **Part:** [p](p/ü.md)\n\n## 5\n\nIt must end.\n',
  'p/ü.md': '# P\n\n## 4 Validation rules\n',
}

const { found } = readDocument('my desk.md', path => files[path] ?? null)
// What is written to the file is JSON, so that is what is looked at.
const log = JSON.parse(JSON.stringify(toSarif(found, '0.1.0')))
const [run] = log.runs
const results: readonly Result[] = run.results
const resultOf = (code: string) => results.find(({ ruleId }) => ruleId === code)

interface Result {
  readonly ruleId: string
  readonly ruleIndex: number
  readonly level: string
  readonly message: { readonly text: string }
  readonly locations: readonly {
    readonly physicalLocation: {
      readonly artifactLocation: { readonly uri: string }
      readonly region: Readonly<Record<'startLine' | 'startColumn' | 'endLine' | 'endColumn', number>>
    }
  }[]
  readonly relatedLocations?: readonly unknown[]
  readonly fixes?: readonly unknown[]
}

test('the log is SARIF 2.1.0 with one run of one tool', () => {
  expect(log.$schema).toBe('https://json.schemastore.org/sarif-2.1.0.json')
  expect(log.version).toBe('2.1.0')
  expect(log.runs).toHaveLength(1)
  expect(run.tool.driver).toMatchObject({ name: 'Ninefold', semanticVersion: '0.1.0' })
  expect(run.columnKind).toBe('utf16CodeUnits')
})

test('every result points to its rule and to a region that begins at 1', () => {
  expect(results.map(({ ruleId }) => ruleId)).toEqual(found.map(({ code }) => code))
  for (const result of results) {
    expect(run.tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId)
    expect(['error', 'warning', 'note']).toContain(result.level)
    expect(result.message.text).toMatch(/\S/)
    expect(result.locations).toHaveLength(1)
    const { startLine, startColumn, endLine, endColumn } = result.locations[0]!.physicalLocation.region
    for (const number of [startLine, startColumn, endLine, endColumn]) expect(number).toBeGreaterThanOrEqual(1)
    expect(endLine > startLine || (endLine === startLine && endColumn >= startColumn)).toBe(true)
  }
})

test('gaps and hints are notes that keep their own word', () => {
  const hint = resultOf('N0801')
  expect(hint).toMatchObject({ level: 'note', properties: { severity: 'hint', heading: 5 } })
})

test('paths are relative URI references, absolute ones file URIs', () => {
  const uris = results.map(({ locations }) => locations[0]!.physicalLocation.artifactLocation.uri)
  expect(new Set(uris)).toEqual(new Set(['my%20desk.md', 'p/%C3%BC.md']))
  const absolute = readDocument('/srv/a b.md', () => null)
  expect(JSON.stringify(toSarif(absolute.found))).toContain('"uri":"file:///srv/a%20b.md"')
})

test('related places and fixes are carried', () => {
  const twice = resultOf('N0004')
  expect(twice?.relatedLocations).toEqual([
    {
      id: 0,
      message: { text: 'first linked here' },
      physicalLocation: {
        artifactLocation: { uri: 'my%20desk.md' },
        region: { startLine: 3, startColumn: 17, endLine: 3, endColumn: 23 },
      },
    },
  ])
  const number = resultOf('N0302')
  expect(number?.fixes).toEqual([
    {
      description: { text: 'write `5`' },
      artifactChanges: [
        {
          artifactLocation: { uri: 'p/%C3%BC.md' },
          replacements: [
            {
              deletedRegion: { startLine: 3, startColumn: 4, endLine: 3, endColumn: 5 },
              insertedContent: { text: '5' },
            },
          ],
        },
      ],
    },
  ])
})

test('nothing found is a log without results', () => {
  expect(toSarif([])).toMatchObject({ runs: [{ results: [], tool: { driver: { rules: [] } } }] })
})
