/** Cards: numbers in a row, charts and lists below. Each says its numbers in words, too. */
import { Menu } from '../../../ui/buttons.tsx'
import { Chart } from '../../../ui/chart.tsx'
import { SheetGrid } from '../../../ui/figures.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { KeyFigures } from '../../../ui/key-figures.tsx'
import { Note, PageHead, Sheet } from '../../../ui/page.tsx'
import { useReader } from '../../../ui/reader.tsx'
import { AssumedBoxes } from '../assumed.tsx'
import { Lines } from '../lines.tsx'
import type { CardsView, SwitchView } from './view-model.ts'

export function CardsScreen({ view }: { readonly view: CardsView }) {
  const { period } = view
  return (
    <>
      <PageHead
        title={view.title}
        meaning={view.meaning}
        facts={period?.days == null ? undefined : <span className="muted">{period.days}</span>}
        actions={period === null ? undefined : <PeriodSwitch period={period} />}
      />
      {view.ignored.map(text => (
        <Note key={text}>{text}</Note>
      ))}
      <div className="stack">
        {view.numbers.length > 0 && <KeyFigures label={view.title} figures={view.numbers} />}
        <SheetGrid spans={view.sheets.map(({ span }) => span)}>
          {view.sheets.map(card => (
            <Card key={card.key} card={card} />
          ))}
        </SheetGrid>
      </div>
      <AssumedBoxes assumed={view.assumed} />
    </>
  )
}

export function PeriodSwitch({
  period: { label, periods, previous, next, dates, against },
}: {
  readonly period: SwitchView
}) {
  return (
    <>
      <nav className="seg" aria-label={label}>
        {periods.map(({ label: name, href, current }) => (
          <a key={href} href={href} aria-current={current ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <Turn {...previous} icon="back" />
      <Turn {...next} icon="arrow" />
      <button type="button" className="btn" popoverTarget="dates" aria-pressed={dates.current}>
        {dates.label}
      </button>
      <form id="dates" className="menu asks" popover="auto" method="get" action={dates.action}>
        {dates.kept.map(({ name, value }) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {(['from', 'to'] as const).map(name => (
          <label key={name} className="day">
            {dates[name].label}
            <input className="in" type="date" name={name} defaultValue={dates[name].value} required />
          </label>
        ))}
        <button type="submit" className="btn pri">
          {dates.show}
        </button>
      </form>
      {against !== null && (
        <Menu id="against" label={against.label} items={against.choices.map(choice => ({ kind: 'link', ...choice }))} />
      )}
    </>
  )
}

function Turn({ label, href, icon }: SwitchView['previous'] & { readonly icon: 'back' | 'arrow' }) {
  return href === null ? null : (
    <a className="btn sq" href={href} aria-label={label}>
      <Icon name={icon} />
    </a>
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
      {card.kind === 'chart' && <Chart title={title} chart={card.chart} />}
      {meaning !== null && <p className="muted body">{meaning}</p>}
    </Sheet>
  )
}
