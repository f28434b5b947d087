import { expect, test } from 'vitest'
import { type Rich, readMarkdown } from './rich.ts'

const richOf = (text: string): readonly Rich[] => readMarkdown(text).rich

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
  ['<script>x</script>', '<p><script>x</script></p>'],
  ['<div>\n\n**a**\n\n</div>', '<p><div></p><p><strong>a</strong></p><p></div></p>'],
  ['a\\\nb &amp; \\* <https://a.example/ü>', '<p>a<br></br>b & * <a https://a.example/ü>https://a.example/ü</a></p>'],
  [
    '2. a\n3. b\n\n```js\nx\n```\n\n    y\n\n***',
    '<ol><li><p>a</p></li><li><p>b</p></li></ol><pre><code>x</code></pre><pre><code>y</code></pre><hr></hr>',
  ],
  ['[a][b]\n\n[b]: https://b.example/', '<p><a https://b.example/>a</a></p>'],
  ['a <img src=x onerror=y> ![pic](https://a.example/p.png)', '<p>a <img src=x onerror=y> pic</p>'],
])('what could run or load something is its words, everything else what it means: %s', (text, expected) => {
  expect(html(richOf(text))).toBe(expected)
})

test.each([
  ['quotations in quotations', '> '.repeat(5000)],
  ['lists in quotations', '> - '.repeat(11)],
  ['lists in lists', Array.from({ length: 100 }, (_, depth) => `${'  '.repeat(depth)}- a\n`).join('')],
])('%s, nested deeper than anybody reads, stand as they were written', (_, text) => {
  expect(richOf(text)).toEqual([{ tag: 'pre', children: [{ tag: 'code', children: [text] }] }])
})

test('emphasis that is nested deeper stands there as its signs', () => {
  const { rich, plain } = readMarkdown(`${'*a **a '.repeat(1000)}x${' b** b*'.repeat(1000)}`)
  expect(html(rich).match(/<(em|strong)>/g)).toHaveLength(24)
  expect(plain).toContain('x b** b* b** b*')
})

test('what was read is kept', () => {
  expect(readMarkdown('**kept**')).toBe(readMarkdown('**kept**'))
})

test('long lists, wrapped lines and what is nested as deep as it is shown are read', () => {
  expect(html(richOf('- x\n'.repeat(600)))).toMatch(/^<ul>(<li><p>x<\/p><\/li>){600}<\/ul>$/)
  expect(html(richOf('- x\n  and so on\n'.repeat(600)))).toMatch(/^<ul>/)
  expect(html(richOf(`${'> '.repeat(12)}x`))).toMatch(/^(<blockquote>){12}/)
  expect(html(richOf('x\n'.repeat(600)))).toMatch(/^<p>/)
})

test('the words alone have a line for each paragraph', () => {
  expect(readMarkdown('# One\n\nTwo **three**\nfour\n\n1. five\n2. six').plain).toBe('One\nTwo three\nfour\nfive\nsix')
})
