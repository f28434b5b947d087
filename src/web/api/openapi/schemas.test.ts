import { expect, test } from 'vitest'
import { readApp } from '../../../headings/index.ts'
import { objectOf } from './schemas.ts'

test('what may be empty may be null, whatever its type', () => {
  const types = ['text 20', 'integer', 'decimal 5.2', 'date', 'yes/no', 'choice: A, B', 'money EUR', 'Person']
  const fields = types.flatMap((type, n) => [`| must_${n} | ${type} | required |`, `| may_${n} | ${type} | |`])
  const text = `# A\n\n## 3 Entities and their fields\n\n### Thing\n\n| Field | Type | Rules |\n| --- | --- | --- |\n${fields.join('\n')}\n`
  const { app } = readApp('a.md', () => text)
  const thing = app!.entities.get('thing')!
  const keys = thing.fields.map(({ key }) => key)
  const { properties } = objectOf(app!, thing, keys, {}, []) as { properties: Record<string, object> }
  const takesNull = (schema: object) => /"null"|\bnull\b/.test(JSON.stringify(schema))
  for (const [n] of types.entries())
    expect([types[n], takesNull(properties[`may_${n}`]!), takesNull(properties[`must_${n}`]!)]).toEqual([
      types[n],
      true,
      false,
    ])
})
