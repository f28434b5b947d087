/** Whether `verify` says something against a build that does what its document says. */
import { verifyOn } from '../../src/cli/verify.ts'
import { readApp } from '../../src/headings/index.ts'
import { createTestDatabase } from '../../src/store/testing.ts'

/** What it says against the application of this text; empty: nothing. */
export async function alarmsOf(server: string, text: string): Promise<readonly string[]> {
  const { app } = readApp('generated.md', () => text)
  const { store, drop } = await createTestDatabase(server)
  try {
    const lines = await verifyOn(app!, store, () => undefined)
    return lines.flatMap(({ title, passed, detail }) => (passed ? [] : [`${title}: ${detail}`]))
  } finally {
    await drop()
  }
}
