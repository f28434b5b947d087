/** Cards: numbers in a row, charts and lists below. Each says its numbers in words, too. */
import { Chart } from '../../../ui/chart.tsx'
import { KeyFigures, SheetGrid } from '../../../ui/figures.tsx'
import { Note, PageHead, Sheet } from '../../../ui/page.tsx'
import { useReader } from '../../../ui/reader.tsx'
import { AssumedBoxes } from '../assumed.tsx'
import { Lines } from '../lines.tsx'
import type { CardsView } from './view-model.ts'

export function CardsScreen({ view }: { readonly view: CardsView }) {
  return (
    <>
      <PageHead title={view.title} />
      {view.ignored.map(text => (
        <Note key={text}>{text}</Note>
      ))}
      <div className="stack">
        {view.numbers.length > 0 && (
          <KeyFigures
            label={view.title}
            figures={view.numbers.map(({ key, title, text, href, meaning, mark }) => ({
              key,
              title,
              text,
              href,
              meaning,
              line: mark,
            }))}
          />
        )}
        <SheetGrid>
          {view.sheets.map(card => (
            <Card key={card.key} card={card} />
          ))}
        </SheetGrid>
      </div>
      <AssumedBoxes assumed={view.assumed} />
    </>
  )
}

function Card({ card }: { readonly card: CardsView['sheets'][number] }) {
  const { words } = useReader()
  const { title, mark, meaning } = card
  const all = card.kind === 'list' ? card.all : null
  return (
    <Sheet
      title={title}
      line={mark}
      flush
      aside={
        all === null ? undefined : all.href === null ? (
          <span className="muted">{all.label}</span>
        ) : (
          <a className="link-more" href={all.href}>
            {all.label}
          </a>
        )
      }
    >
      {card.kind === 'open' && <p className="muted body">{words('cardOpen')}</p>}
      {card.kind === 'list' && <Lines label={title} lines={card.list} />}
      {card.kind === 'chart' && <Chart title={title} chart={card.chart} overTime={card.chart.overTime} />}
      {meaning !== null && <p className="muted body">{meaning}</p>}
    </Sheet>
  )
}
