import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readApp } from '../index.ts'
import { exampleFiles } from '../testing.ts'
import { questionsOf } from './index.ts'

const published = new URL('../../../docs/approvals/', import.meta.url)
const examples = new URL('../../../examples/', import.meta.url)
const purchasing = readFileSync(new URL('purchasing/purchasing.md', examples), 'utf8').replace(
  /- \*\*Sample data:.*\n/g,
  '',
)

/** "N0401 Invoice: …", without what an example shows. */
function askedOf(text: string): readonly string[] {
  const { app, found } = readApp('document.md', path => (path === 'document.md' ? text : null))
  expect(found.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([])
  return questionsOf(app!).map(({ code, message }) => `${code} ${message}`)
}

/** The purchasing desk, written otherwise in one place. */
function otherwise(old: string, now: string): string {
  expect(purchasing).toContain(old)
  return purchasing.replace(old, now)
}

test('the examples, and the approvals that others publish, leave no question', () => {
  const asked = [
    ...exampleFiles.map(file => new URL(file, examples)),
    ...readdirSync(published)
      .filter(file => file !== 'README.md')
      .map(file => new URL(file, published)),
  ].flatMap(file => {
    const load = (path: string) => {
      try {
        return readFileSync(new URL(path, file), 'utf8')
      } catch {
        return null
      }
    }
    const { app } = readApp(file.pathname.split('/').at(-1)!, load)
    return questionsOf(app!).map(({ code, message }) => `${file.pathname.split('/').at(-1)} ${code} ${message}`)
  })
  expect(asked).toEqual([])
})

test('what was approved may be raised where nothing locks it any more, by whoever may change it there', () => {
  const open = otherwise('| Approved | | all |', '| Approved | | |')
  expect(askedOf(open)).toEqual([
    'N0401 Purchase request: Employee may change `lines` in Approved, and nobody is asked again about `approve`',
  ])
  expect(askedOf(open.replace('| `requester = me` |', '| `requester = me and state = Draft` |'))).toEqual([])
})

test('a bound that a step asks for is got round where the field can be changed behind it, and not where the next step asks again', () => {
  const open = otherwise('`state in (Arrived, Disputed)`', '`state != Paid`')
  expect(askedOf(open)).toEqual([
    'N0401 Invoice: Accountant may change `supplier`, `net` and `received_on` in Checked, and nobody is asked again about `check`',
  ])
  const again = open.replace(
    '`order.state in (Received, "Partly received")`',
    '`order.state in (Received, "Partly received") and in_eur <= order.net`',
  )
  expect(askedOf(again)).toEqual([])
})

test('an order ends in part where its last step does not ask for what has come', () => {
  const open = otherwise('| cancel | Prepared, Sent |', '| cancel | Prepared, Sent, Partly received |')
  expect(askedOf(open)).toEqual([])
  const silent = open.replace('Purchaser | `none(Goods_receipt where order = this)` |', 'Purchaser | |')
  expect(askedOf(silent)).toEqual([
    'N0406 Purchase order: `cancel` leads to Cancelled, and says nothing of each Goods receipt, of which some may be further on than others',
  ])
})

test('an approval waits for nobody where the field that names who decides is empty, unless it was asked for on the way', () => {
  const open = otherwise('| keeper | Person | required |', '| keeper | Person | |')
  const asked = [
    'N0407 Purchase request: `approve` waits for keeper, and nobody is asked where cost_centre.keeper is empty',
  ]
  expect(askedOf(open)).toEqual(asked)
  const submit = '| submit | Draft | Submitted | requester | |'
  expect(open).toContain(submit)
  expect(askedOf(open.replace(submit, `${submit.slice(0, -1)}\`cost_centre.keeper is not empty\` |`))).toEqual([])
  expect(askedOf(open.replace(submit, `${submit.slice(0, -1)}\`cost_centre.keeper is empty\` |`))).toEqual(asked)
})
