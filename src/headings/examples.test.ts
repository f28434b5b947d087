/** Every example is sound: no mistakes, no warnings. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readApp } from './index.ts'

const folder = join(import.meta.dirname, '../../examples')

test.each(readdirSync(folder))('%s', name => {
  const path = join(folder, name, `${name === 'seed' ? 'specification' : name}.md`)
  const { found, app } = readApp('root', part =>
    readFileSync(part === 'root' ? path : join(dirname(path), part), 'utf8'),
  )
  expect(app).not.toBeNull()
  expect(found.filter(({ severity }) => severity === 'error' || severity === 'warning')).toEqual([])
})
