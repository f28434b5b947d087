import { expect, test } from 'vitest'
import { readApp } from '../../headings/index.ts'
import { lettersOf } from './letters.ts'

test('each step has the first initial that no step before it has, else a letter; never one that means something everywhere', () => {
  const steps = ['submit', 'send back', 'edit', 'note', 'e']
  const rows = steps.map(step => `| ${step} | Open | Open | everyone signed in |`).join('\n')
  const text = `# Desk\n\n## 3 Entities and their fields\n\n### Thing\n\n| Field | Type |\n| --- | --- |\n| name | text 20 |\n\n## 4 States and transitions\n\n### Thing\n\n| State | Kind |\n| --- | --- |\n| Open | start |\n\n| Transition | From | To | Who |\n| --- | --- | --- | --- |\n${rows}\n`
  const { app } = readApp('desk.md', () => text, { version: () => 'one' })
  expect([...lettersOf(app!, 'thing')]).toEqual([
    ['submit', 's'],
    ['send_back', 'b'],
    ['edit', 'd'],
    ['note', 'o'],
  ])
})
