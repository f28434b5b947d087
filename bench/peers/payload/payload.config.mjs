/** The desk in Payload: people and loans as collections, in a schema of its own, which `fill.mjs` fills from the desk's tables. */
import { postgresAdapter } from '@payloadcms/db-postgres'
import { buildConfig } from 'payload'

export default buildConfig({
  secret: process.env.PAYLOAD_SECRET,
  telemetry: false,
  admin: { user: 'users' },
  db: postgresAdapter({
    idType: 'uuid',
    schemaName: 'payload',
    pool: { connectionString: process.env.DATABASE_URL },
  }),
  collections: [
    { slug: 'users', auth: { useAPIKey: true }, fields: [] },
    { slug: 'people', fields: [{ name: 'name', type: 'text', required: true }] },
    {
      slug: 'loans',
      fields: [
        { name: 'number', type: 'text', required: true, unique: true },
        { name: 'state', type: 'text', required: true, index: true },
        { name: 'borrower', type: 'relationship', relationTo: 'people', required: true },
        { name: 'out_on', type: 'date' },
        { name: 'due_back', type: 'date', index: true },
        { name: 'purpose', type: 'text' },
      ],
    },
  ],
})
