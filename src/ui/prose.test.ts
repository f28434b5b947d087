import { expect, test } from 'vitest'
import { expectGrowthWithLength } from '../../scripts/growth.ts'
import { htmlOf } from './prose.tsx'

test('headings stand below the title of the page', () => {
  expect(htmlOf('#### Lending\n\nOne week.\n\n# Top\n')).toBe('<h2>Lending</h2>\n<p>One week.</p>\n<h2>Top</h2>\n')
  expect(htmlOf('##### Below')).toBe('<h3>Below</h3>\n')
})

test('HTML is shown as text', () => {
  expect(htmlOf('<b>x</b> <img src=x onerror=alert(1)>')).toBe(
    '<p>&lt;b&gt;x&lt;/b&gt; &lt;img src=x onerror=alert(1)&gt;</p>\n',
  )
})

test.each(['https://example.org/a', 'http://example.org', 'mailto:a@example.org', '/rules?a=1:2', 'rules', '#below'])(
  'a link may lead to %s',
  url => {
    expect(htmlOf(`[there](${url})`)).toBe(`<p><a href="${url}">there</a></p>\n`)
  },
)

test.each(['javascript:alert(1)', 'JAVASCRIPT:alert(1)', 'data:text/html,x', 'vbscript:x', 'file:///etc', 'x:y'])(
  'no link leads to %s',
  url => {
    expect(htmlOf(`[there](${url})`)).not.toContain('href')
    expect(htmlOf(`![there](${url})`)).not.toContain('src')
  },
)

/** Each took, with the parser of documents, time that grew with the square of its length. */
test.each(['*a_', '> a\n\n', '- a\n  - b\n    - c\n', '[', '[a](', '`a``'])(
  '%j is shown in time that grows with its length',
  unit => {
    let tries = 0
    // No text is the same as one before, which would be kept.
    expectGrowthWithLength(20_000, letters => void htmlOf(`${tries++} ${unit.repeat(letters / unit.length)}`))
  },
)
