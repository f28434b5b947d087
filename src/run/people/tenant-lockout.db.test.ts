/** The last who may appoint in one tenant is not kept out by another record, whoever appoints in the others. */
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { codes, done, input, readSound, startTestRun } from '../testing.ts'
import { change, create } from '../write/writes.ts'
import { appoint } from './appointments.ts'
import { systemRequest } from './people.ts'

test('a record that keeps out who alone appoints in a tenant is refused', async () => {
  const app = readSound(join(import.meta.dirname, '../fixtures/tenants.md'), text =>
    text
      .replace('### Person\n', '### Person\n\n- **Sign-in when:** company is empty or not company.shut\n')
      .replace('| name | text 40 | required; unique |', '$&\n| shut | yes/no | default no |'),
  )
  const run = await startTestRun(inject('databaseUrl'), app)
  try {
    const seed = await systemRequest(run.runtime, 'seed', run.door())
    const timer = await systemRequest(run.runtime, 'timer', run.door())
    const companies: string[] = []
    for (const name of ['Acme', 'Bolt']) {
      const company = done(await create(run.runtime, seed, 'company', input({ name })))
      const email = `${name}@example.com`
      const person = done(await create(run.runtime, seed, 'person', input({ name, email, company })))
      done(await appoint(run.runtime, seed, person, 'Chief'))
      companies.push(company)
    }
    for (const company of companies)
      expect(codes(await change(run.runtime, timer, 'company', company, null, input({ shut: true })))).toEqual([
        'NF-LAST-HOLDER',
      ])
  } finally {
    await run.drop()
  }
})
