import { expect, test } from 'vitest'
import { changeLogWith, versioned } from '../../scripts/release.ts'

const log = '# Changes\n\nNotes are in [.changes/](.changes/).\n\n## 0.1.0\n\nThe first.\n'

test('notes become the section of the version, before those before, by kind and with links that lead on', () => {
  const notes = new Map([
    ['fix-b.md', '**B** works.\n'],
    ['feature-a.md', '**A.** See [how](../docs/a.md);\nit goes on.\n'],
    ['breaking-c.md', '**C** is another.\n'],
    ['fix-a.md', '**A** works.\n'],
  ])
  expect(changeLogWith(log, notes, '0.2.0', '2026-11-28')).toBe(`# Changes

Notes are in [.changes/](.changes/).

## 0.2.0 (2026-11-28)

### What has to be changed

- **C** is another.

### New

- **A.** See [how](docs/a.md);
  it goes on.

### Fixed

- **A** works.
- **B** works.

## 0.1.0

The first.
`)
})

test('a note of no kind stops the release', () => {
  expect(() => changeLogWith(log, new Map([['new-a.md', 'A']]), '0.2.0', '2026-11-28')).toThrow(
    '.changes/new-a.md is of',
  )
})

test('a package has its new version, and calls the Ninefold of the same', () => {
  const manifest =
    '{\n  "name": "x",\n  "version": "0.1.0",\n  "dependencies": { "ninefold": "0.1.0", "pg": "8.0.0" }\n}\n'
  expect(JSON.parse(versioned(manifest, '0.2.0'))).toEqual({
    name: 'x',
    version: '0.2.0',
    dependencies: { ninefold: '0.2.0', pg: '8.0.0' },
  })
})
