import { sql } from '../expression/sql.ts'

/** Two servers are one where these are the same: a standby of another cluster, or another database of it, has other records. */
export const identity = sql`(select system_identifier from pg_control_system())::text || ' ' || current_database() as identity`

export interface Identified {
  readonly identity: string
}
