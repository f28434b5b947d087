import { expect, test } from 'vitest'
import { plainOf, type Rich, richOf } from './rich.ts'

const html = (all: readonly Rich[]): string =>
  all
    .map(one =>
      typeof one === 'string'
        ? one
        : `<${one.tag}${one.href === undefined ? '' : ` ${one.href}`}>${html(one.children)}</${one.tag}>`,
    )
    .join('')

test.each([
  ['**a** _b_ `c`', '<p><strong>a</strong> <em>b</em> <code>c</code></p>'],
  ['# One\n\n- two\n- three', '<h3>One</h3><ul><li><p>two</p></li><li><p>three</p></li></ul>'],
  [
    '[a](https://a.example/) [b](mailto:b@example.com)',
    '<p><a https://a.example/>a</a> <a mailto:b@example.com>b</a></p>',
  ],
  // What could run or load something is its words, or what was written.
  ['[a](javascript:alert(1)) [b](//b.example) [c](data:text/html,x)', '<p>a b c</p>'],
  ['<script>x</script>', '<script>x</script>'],
  ['a <img src=x onerror=y> ![pic](https://a.example/p.png)', '<p>a <img src=x onerror=y> pic</p>'],
])('%s', (text, expected) => {
  expect(html(richOf(text))).toBe(expected)
})

test.each([
  ['quotations in quotations', '> '.repeat(5000)],
  ['lists in quotations', '> - '.repeat(11)],
  ['lines that go on in a quotation', `> x\n${'x\n'.repeat(501)}`],
  ['brackets that are never closed', '['.repeat(2000)],
])('%s, more than anybody writes, stand as they were written', (_, text) => {
  expect(richOf(text)).toEqual([{ tag: 'pre', children: [{ tag: 'code', children: [text] }] }])
})

test('long lists, wrapped lines and what is nested as deep as it is shown are read', () => {
  expect(html(richOf('- x\n'.repeat(600)))).toMatch(/^<ul>(<li><p>x<\/p><\/li>){600}<\/ul>$/)
  expect(html(richOf('- x\n  and so on\n'.repeat(600)))).toMatch(/^<ul>/)
  expect(html(richOf(`${'> '.repeat(12)}x`))).toMatch(/^(<blockquote>){12}/)
  expect(html(richOf('x\n'.repeat(600)))).toMatch(/^<p>/)
})

test('the words alone have a line for each paragraph', () => {
  expect(plainOf(richOf('# One\n\nTwo **three**\nfour\n\n1. five\n2. six'))).toBe('One\nTwo three\nfour\nfive\nsix')
})

test('what is nested ever deeper ends as it was written', () => {
  const deep = richOf(`${'> '.repeat(20)}end`)
  expect(html(deep)).toContain('end')
  expect(html(deep).match(/<blockquote>/g)!.length).toBeLessThan(20)
})
