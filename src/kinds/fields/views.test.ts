import { expect, test } from 'vitest'
import { fieldKinds } from './index.ts'
import { fieldViews } from './views.ts'

test('a view is that of a kind, and each has a control that fits', () => {
  expect([...fieldKinds.keys()]).toEqual(expect.arrayContaining([...fieldViews.keys()]))
  const asked = {
    parameters: { choices: ['New'] },
    mayBeEmpty: true,
    own: false,
    neverBelowZero: true,
    word: (name: string) => name.toUpperCase(),
    yesNo: (value: string) => value,
  }
  const kinds = (wanted: string) =>
    [...fieldViews.values()].filter(({ control }) => control?.(asked).kind === wanted).map(({ name }) => name)
  expect(kinds('textarea')).toEqual(['long text', 'markdown'])
  expect(kinds('select')).toEqual(['yes/no', 'choice'])
  expect(fieldViews.get('several of')?.control?.(asked)).toEqual({
    kind: 'several',
    options: [{ value: 'New', label: 'NEW' }],
  })
})

test.each([
  ['e-mail', 'ida@xn--mller-kva.de', 'ida@müller.de', 'text'],
  ['link', 'https://xn--mller-kva.de/xn--a?b=xn--c', 'https://müller.de/xn--a?b=xn--c', 'text'],
  ['long text', 'one\ntwo', 'one\ntwo', 'long'],
  ['markdown', '**one**', 'one', 'long'],
  ['image', `${'a'.repeat(64)} 5 image/png one.png`, 'one.png', 'image'],
  ['image', `${'a'.repeat(64)} 5 image/tiff one.tiff`, 'one.tiff', 'file'],
])('%s %j is shown as %j', (kind, wire, text, look) => {
  expect(fieldViews.get(kind)?.show?.(wire)).toMatchObject({ text, look })
})
