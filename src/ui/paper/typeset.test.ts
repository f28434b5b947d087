/** Paper, read back as a reader of PDF has it: its words, its pages, and what they are said to be. */
import { extractText, getDocumentProxy } from 'unpdf'
import { expect, test } from 'vitest'
import { facesWith } from './faces.ts'
import { setterOf } from './lines.ts'
import type { Block, Paper } from './paper.ts'
import { columnWidths } from './table-widths.ts'
import { typeset } from './typeset.ts'

const paperOf = (blocks: readonly Block[], more: Partial<Paper> = {}): Paper => ({
  title: 'Order PO-001',
  language: 'en',
  direction: 'ltr',
  letterhead: ['Brandt Instruments', 'Werkstraße 4', '38106 Braunschweig'],
  logo: null,
  sheets: [{ title: 'Purchase order PO-001', blocks, foot: 'PO-001 · Nordlift' }],
  fonts: [],
  ...more,
})

const read = async (paper: Paper) => {
  const pdf = await getDocumentProxy(new Uint8Array(await typeset(paper)))
  const { text } = await extractText(pdf)
  return { pdf, pages: text.map(page => page.replace(/\s+/g, ' ')) }
}

/** Elements of which a part stands on the page, outermost first: `Table TR TH`. */
const elements = async (pdf: Awaited<ReturnType<typeof read>>['pdf'], page: number): Promise<readonly string[]> => {
  interface Node {
    readonly role?: string
    readonly type?: string
    readonly children?: readonly Node[]
  }
  const isHere = ({ type, children = [] }: Node): boolean => type === 'content' || children.some(isHere)
  const walk = (node: Node): string[] =>
    node.role === undefined || !isHere(node) ? [] : [node.role, ...(node.children ?? []).flatMap(walk)]
  return walk((await (await pdf.getPage(page)).getStructTree()) as Node)
}

const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ cells: [`Thing ${at + 1}`, `${at}.50`] }))
const table = (count: number, more: Partial<Extract<Block, { kind: 'table' }>> = {}): Block => ({
  kind: 'table',
  columns: [
    { label: 'What', numeric: false },
    { label: 'Net', numeric: true },
  ],
  rows: rows(count),
  foot: ['Total', '99.00'],
  ...more,
})

test('everything stands on it once, under the letterhead, and each page has the head of its table, its foot and its number', async () => {
  const { pdf, pages } = await read(
    paperOf([
      { kind: 'facts', facts: [{ label: 'Supplier', value: { text: 'Łódź Ελλάδα Привет Việt' } }] },
      { kind: 'heading', text: 'What we order' },
      table(90),
      { kind: 'text', text: 'Please deliver all of it.' },
    ]),
  )
  expect(pdf.numPages).toBe(3)
  for (const [at, page] of pages.entries()) {
    expect(page).toContain(`PO-001 · Nordlift ${at + 1} / 3`)
    expect(page.match(/What Net/g)).toHaveLength(1)
  }
  expect(pages[0]).toContain('Brandt Instruments Werkstraße 4 38106 Braunschweig Purchase order PO-001')
  expect(pages[0]).toContain('Supplier Łódź Ελλάδα Привет Việt What we order')
  const things = pages.join(' ').match(/Thing \d+ \d+\.50/g)
  expect(things).toEqual(rows(90).map(({ cells }) => cells.join(' ')))
  expect(pages[2]).toContain('Total 99.00 Please deliver all of it.')
})

test('it is tagged: headings, paragraphs, tables with the heads of their columns; what is repeated is not read twice', async () => {
  const { pdf } = await read(paperOf([{ kind: 'heading', text: 'What we order' }, table(60)]))
  const first = await elements(pdf, 1)
  expect(first.filter(role => ['H1', 'H2', 'Table', 'TH'].includes(role))).toEqual(['H1', 'H2', 'Table', 'TH', 'TH'])
  expect((await elements(pdf, 2)).filter(role => role === 'TH')).toEqual([])
  expect((await pdf.getMarkInfo())?.Marked).toBe(true)
  const { info } = await pdf.getMetadata()
  expect(info).toMatchObject({ Title: 'Order PO-001', Language: 'en' })
})

test('text that runs to the left is shaped and read in its order, with figures and other letters inside', async () => {
  const said = 'مرحبا بالعالم (123) Nordlift שלום'
  const { pages } = await read(paperOf([{ kind: 'text', text: said }], { direction: 'rtl', language: 'ar' }))
  for (const word of ['مرحبا', 'بالعالم', '123', 'Nordlift', 'שלום'])
    expect(pages[0]!.normalize('NFKC')).toContain(word)
})

test('groups are named again on the pages on which they go on; a row is parted only if no page has room for it', async () => {
  const long = Array.from({ length: 400 }, (_, at) => `word${at}`).join(' ')
  const { pages } = await read(
    paperOf([
      table(0, {
        rows: [
          { cells: ['Late (80)', '7.00'], isHead: true },
          ...rows(80),
          { cells: [`${long} ${long}`, '1.00'], under: 'PR-1' },
        ],
        foot: null,
      }),
    ]),
  )
  expect(pages.slice(0, 2).map(page => page.match(/Late \(80\) 7\.00/g)?.length)).toEqual([1, 1])
  const words = pages.join(' ').match(/word\d+/g)
  expect(words).toHaveLength(800)
  expect(pages.join(' ')).toContain('PR-1')
})

test('a wide table turns the paper; words that no column has room for are parted, and nothing is lost', async () => {
  const columns = Array.from({ length: 12 }, (_, at) => ({ label: `Column ${at}`, numeric: false }))
  const word = 'x'.repeat(900)
  const cells = columns.map((_, at) => (at === 3 ? word : `Some longer value ${at}`))
  const { pdf, pages } = await read(paperOf([{ kind: 'table', columns, rows: [{ cells }], foot: null }]))
  const [, , width, height] = (await pdf.getPage(1)).view as [number, number, number, number]
  expect(width).toBeGreaterThan(height)
  expect(pages.join('').match(/x+/g)!.join('').length).toBeGreaterThanOrEqual(900)
})

test('a word without an end is shaped in pieces: it takes no more than its length', () => {
  const setter = setterOf(facesWith([]), 'ltr')
  for (const word of ['fi'.repeat(3000), `a${'\u0323'.repeat(6000)}`, 'aم'.repeat(3000)]) {
    const pieces = setter.lines([{ text: word, weight: 400 }], 10, 300).flatMap(line => line.pieces)
    expect(pieces.reduce((sum, { text }) => sum + text.length, 0)).toBe(word.normalize('NFC').length)
    expect(Math.max(...pieces.map(({ text }) => text.length))).toBeLessThanOrEqual(200)
  }
})

test('columns have what stands in them where there is room, else what they need most, and never more than the paper', () => {
  const need = (whole: number, word: number) => ({ whole, word })
  expect(columnWidths([need(50, 20), need(100, 30)], 300)).toEqual([50, 250])
  const tight = columnWidths([need(40, 20), need(900, 60), need(300, 50)], 400)
  expect(tight[0]).toBe(40)
  expect(tight.reduce((sum, width) => sum + width, 0)).toBeCloseTo(400)
  expect(columnWidths([need(500, 400), need(500, 400)], 400)).toEqual([200, 200])
})

test('Markdown keeps its paragraphs, lists and emphasis', async () => {
  const { pages } = await read(
    paperOf([
      {
        kind: 'facts',
        facts: [
          {
            label: 'Note',
            value: {
              text: '',
              rich: [
                { tag: 'p', children: ['Some ', { tag: 'strong', children: ['strong'] }, ' words'] },
                {
                  tag: 'ol',
                  start: 3,
                  children: [
                    { tag: 'li', children: ['three'] },
                    { tag: 'li', children: [{ tag: 'p', children: ['four'] }] },
                  ],
                },
              ],
            },
          },
        ],
      },
    ]),
  )
  expect(pages[0]).toContain('Note Some strong words 3. three 4. four')
})
