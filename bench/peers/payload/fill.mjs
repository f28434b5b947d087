/** Makes Payload's tables, as its development mode does, fills them from the desk's, and lets somebody in by a key. */
import { getPayload } from 'payload'
import config from './payload.config.mjs'

const payload = await getPayload({ config })
const { pool } = payload.db
await pool.query('insert into payload.people (id, name) select id, name from public.person')
await pool.query(`insert into payload.loans (id, number, state, borrower_id, out_on, due_back, purpose)
  select id, number, state, borrower, out_on, due_back, purpose from public.loan`)
await pool.query('analyze payload.people, payload.loans')
await payload.create({
  collection: 'users',
  data: {
    email: 'bench@example.org',
    password: process.env.PAYLOAD_SECRET,
    enableAPIKey: true,
    apiKey: process.env.PAYLOAD_KEY,
  },
})
process.exit(0)
