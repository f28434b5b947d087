import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { projects } from './project.ts'

const linking = (part: string) => `# Desk\n- **Part:** [it](${part})\n\n## 3 Entities and their fields\n`

test('a part belongs to the document that links it; others beside that are not read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'documents '))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['parts', 'large']) mkdirSync(join(folder, name))
  for (const [name, text] of [
    ['desk.md', linking('parts/own%20loans.md')],
    ['other.md', linking('large/all.md')],
    ['parts/own loans.md', '## 4 States and transitions\n'],
    ['large/all.md', '## 4 States and transitions\n'],
  ] as const)
    writeFileSync(join(folder, name), text)
  const asked = new Set<string>()
  const uri = (name: string) => pathToFileURL(join(folder, name)).href
  const known = projects(one => void asked.add(one))
  expect(known.of(uri('parts/own loans.md'))?.root).toBe(join(folder, 'desk.md'))
  expect(asked).not.toContain(uri('large/all.md'))
})
