import { expect, test } from 'vitest'
import { htmlOf } from './html.ts'

const body = (text: string) => /<body[^>]*>\n([\s\S]*)\n<\/body>/.exec(htmlOf('Subject', text))![1]

test('paragraphs and lines stay what they are', () => {
  expect(body('Dear Ben,\n\nplease bring back\nthe camera.\n')).toBe(
    '<p>Dear Ben,</p>\n<p>please bring back<br>\nthe camera.</p>',
  )
})

test.each([
  ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
  ['Tom & "Jerry"', '<p>Tom &amp; &quot;Jerry&quot;</p>'],
  ['javascript:alert(1)', '<p>javascript:alert(1)</p>'],
  [
    'https://a.example/"onmouseover="x',
    '<p><a href="https://a.example/">https://a.example/</a>&quot;onmouseover=&quot;x</p>',
  ],
  [
    'Look: https://a.example/b?c=1&d=2.',
    '<p>Look: <a href="https://a.example/b?c=1&amp;d=2">https://a.example/b?c=1&amp;d=2</a>.</p>',
  ],
  ['(http://a.example)', '<p>(<a href="http://a.example">http://a.example</a>)</p>'],
])('%s', (text, html) => {
  expect(body(text)).toBe(html)
})

test('the subject is no way in either', () => {
  expect(htmlOf('</title><script>', 'x')).toContain('<title>&lt;/title&gt;&lt;script&gt;</title>')
})
