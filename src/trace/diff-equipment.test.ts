/** Differences between two versions of the equipment desk: states, choices, screens, constants, mails and occasions. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { App } from '../headings/app.ts'
import { readApp } from '../headings/index.ts'
import { diffApps } from './diff.ts'

const examples = new URL('../../examples/equipment-desk/', import.meta.url)
const desk = (text: string): App => {
  // Files of sample data know the document as it is, not as it is changed here.
  const { app, found } = readApp('app.md', path =>
    path === 'app.md' ? text : path.endsWith('.csv') ? null : readFileSync(new URL(path, examples), 'utf8'),
  )
  expect(found.flatMap(({ severity, message }) => (severity === 'error' ? [message] : []))).toEqual([])
  return app!
}
const deskText = readFileSync(new URL('equipment-desk.md', examples), 'utf8')

test.each<[string, readonly (readonly [string, string])[], readonly string[]]>([
  [
    'a state whose records go to another one',
    [
      ['| Lapsed | end | Not collected in time |\n', ''],
      ['| Cancelled | end | |', '| Cancelled (was Lapsed) | end | |'],
      ['go to Lapsed', 'go to Cancelled'],
    ],
    [
      'timer lapse of Booking, then: `go to Cancelled, send mail lapsed` (was `go to Lapsed, send mail lapsed`)',
      'Booking no longer has the state Lapsed: its records become Cancelled',
    ],
  ],
  [
    'a choice that goes, and one that comes',
    [
      ['Damaged, In repair, Written off', 'Damaged, Lost, In repair'],
      ['"Written off"', 'Lost'],
    ],
    [
      'Piece.condition may now be Lost, and may no longer be Written off: records with it need another value before this can be applied',
      'timer lose of Booking, then: `go to Lost, set piece.condition = Lost, create Fine with booking = this, borrower = borrower, kind = Replacement, amount = piece.value` (was `go to Lost, set piece.condition = "Written off", create Fine with booking = this, borrower = borrower, kind = Replacement, amount = piece.value`)',
    ],
  ],
  [
    'home, cards, order and buttons of screens',
    [
      ['- **By:** month of handed_out_at, model', '- **By:** week of handed_out_at, model'],
      ['#### Late\n\n- **Measure:** count of Booking where state = Overdue\n- **Aim:** 0\n- **Better:** lower\n\n', ''],
      ['- **Home for:** Assistant\n', ''],
      ['### Late\n\n', '### Late\n\n- **Home for:** Assistant\n- **Buttons:** take back\n'],
      ['- **Sort:** return_at\n', '- **Sort:** return_at down\n'],
    ],
    [
      'screen Today, the home of: `Assistant` is gone',
      'screen Late, the home of: `Assistant` is new',
      'screen Late, sorted by: `return_at down` (was `return_at`)',
      'screen Late, its buttons: `take back` (was `all steps`)',
      'card Loans by month of Overview, by: `week of handed_out_at` (was `month of handed_out_at`)',
      'card Late of Overview is gone',
    ],
  ],
  [
    'a constant, with everything that follows it',
    [['| lapse_hours | 2 |', '| lapse_hours | 3 |']],
    ['limits.lapse_hours 2 → 3 hours, for timer lapse of Booking, also for records that are under way'],
  ],
  [
    'a mail that nothing sends any more, which is no other mail',
    [['| remind | On loan | `return_at - 24 hours` | | send mail reminder |\n', '']],
    ['timer remind of Booking is gone', 'mail reminder is sent by nothing any more'],
  ],
  [
    'occasions of a rule',
    [['| V-12 | Booking on create, hand over |', '| V-12 | Booking on create |']],
    ['V-12 applies on create (was on create, hand over)'],
  ],
])('%s: told in the words of the business', (_, edits, lines) => {
  const text = edits.reduce((all, [old, now]) => {
    expect(all).toContain(old)
    return all.replaceAll(old, now)
  }, deskText)
  expect(diffApps(desk(deskText), desk(text), '2026-03-02').map(({ text }) => text)).toEqual(lines)
})
