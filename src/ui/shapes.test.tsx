import { serialize } from 'node:v8'
import fc from 'fast-check'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { account, nav } from './gallery/samples.tsx'
import { ReaderProvider, readerOf } from './reader.tsx'
import { type PartProps, renderPart } from './shapes.tsx'
import { type PageProps, renderPage, type Shell } from './shell.tsx'

const reader = readerOf({ locale: 'en-GB', zone: 'UTC' })
/** What people type and addresses hold, and what hurts most. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }).map(found => found.replaceAll('\0', '')),
  fc.constantFrom(
    '',
    '0',
    '\n',
    '<b>"x" & \'y\'</b>',
    '&amp;',
    '<!-- -->',
    '$&',
    'javascript:alert(1)',
    'a\njavascript:1',
  ),
)

type CardProps = PartProps<{ kind: string; list: readonly string[] }, 'name' | 'href' | 'note', 'inner'>

function Card({ data, texts, markup }: CardProps) {
  return (
    <article className={data.kind}>
      <a href={texts.href} title={`${texts.name}, ${data.kind}`}>
        {texts.name} of {data.list.length}
      </a>
      {texts.note !== '' && <p>{texts.note}</p>}
      <ul>
        {data.list.map(one => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      {markup.inner}
    </article>
  )
}

test('a part is what React makes of it, for the first who asks and for all who come after', () => {
  const data = fc.record({ kind: fc.constantFrom('plain', 'wide'), list: fc.uniqueArray(text, { maxLength: 2 }) })
  const texts = fc.record({ name: text, href: text, note: text })
  const frames = { plain: { kind: 'plain' }, wide: { kind: 'wide' } }
  fc.assert(
    fc.property(fc.array(fc.record({ data, texts }), { minLength: 1, maxLength: 6 }), cards => {
      for (const { data, texts } of cards) {
        const given = { data, texts, markup: { inner: '<hr/>' } }
        const plain = renderToString(
          <ReaderProvider reader={reader}>
            <Card {...given} markup={{ inner: 'here' }} />
          </ReaderProvider>,
        )
        const wanted = plain.replace(/here<\/article>$/, '<hr/></article>')
        const { kind, list } = data
        for (const parts of [given, { ...given, frame: frames[kind as 'plain'], data: { list } }]) {
          const made = renderPart(reader, Card, parts as typeof given)
          expect(made.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))).toBe(wanted)
        }
      }
    }),
    { numRuns: 200 },
  )
})

test('an address with NUL puts nothing of a page where it does not belong', () => {
  const card = (kind: string) =>
    renderPart(reader, Card, {
      data: { kind, list: ['\u00000\0'] },
      texts: { name: 'token', href: '/', note: '' },
      markup: { inner: '' },
    })
  expect(card('nul')).toContain('<li>&#65533;0&#65533;</li>')
  expect(card('nul')).toBe(card('nul'))
})

test('a page of Latin letters has one byte a letter in memory, whatever signs stand in its texts', () => {
  const bytes = (name: string) => {
    const card = {
      data: { kind: 'plain', list: ['…'] },
      texts: { name, href: '/', note: '€' },
      markup: { inner: '<hr/>' },
    }
    const html = renderPart(reader, Card, card)
    return serialize(html).length / html.length
  }
  expect(bytes('1–25 of “48” Grüße')).toBeLessThan(1.5)
  expect(bytes('Dvořák')).toBeGreaterThan(1.5)
})

test('pages of the same shape have nothing of each other', () => {
  const shell: Shell = {
    app: { name: 'Desk', href: '/' },
    nav,
    me: account,
    find: { action: '/find', shortcuts: null, idle: 30 },
    column: 'narrow',
    theme: null,
    density: null,
    assets: { styles: '/s.css', fonts: [], scripts: [], icon: null },
    bare: false,
  }
  const page = (name: string, more: Partial<PageProps> = {}) =>
    renderPage({
      reader,
      shell,
      title: [`List of ${name}`],
      me: { person: name, name, hidden: { name: '_csrf', value: `token ${name}` } },
      from: `/of/${name}`,
      counts: { waiting: `1 of ${name}`, unread: '' },
      content: <p>{name}</p>,
      ...more,
    })
  const berta = page('Berta Quist')
  const cleo = page('Cleo Marchetti')
  for (const [html, name, initials] of [
    [berta, 'Berta Quist', 'BQ'],
    [cleo, 'Cleo Marchetti', 'CM'],
  ] as const) {
    expect(html).toContain(`<title>List of ${name} · Desk</title>`)
    expect(html).toContain(`>${initials}</span>`)
    expect(html).toContain(`<span class="n hot" data-counts="waiting">1 of ${name}<span class="vh">`)
    expect(html).toContain(`name="_csrf" value="token ${name}"`)
    expect(html).toContain(`name="from" value="/of/${name}"`)
    expect(html).toContain(`<div class="wrap"><p>${name}</p><footer>`)
  }
  expect(berta.replaceAll('Berta Quist', 'Cleo Marchetti').replace('>BQ<', '>CM<')).toBe(cleo)
  const other = (more: Partial<Shell>, of: Partial<PageProps> = {}) =>
    page('Berta Quist', { shell: { ...shell, ...more }, ...of })
  expect(other({ me: null, find: null, nav: [] })).not.toMatch(/class="me"|_csrf|class="find"/)
  expect(other({ theme: 'dark' }, { error: true })).toMatch(/data-theme="dark".*<title>Error: List/)
  expect(other({ me: { ...account!, roles: 'Auditor' } })).toContain('<small class="muted">Auditor</small>')
  expect(page('Berta Quist', { here: { href: '/desk', current: 'true' } })).toContain(
    'href="/desk" aria-current="true"',
  )
  expect(page('Berta Quist')).toBe(berta)
})
