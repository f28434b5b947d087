/** A timeline: lanes with links to what lies in them; on a narrow screen each lane is a list. */
import { LinkButton } from '../../../ui/buttons.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { PageHead, Sheet } from '../../../ui/page.tsx'
import { classes, useReader } from '../../../ui/reader.tsx'
import { AssumedBoxes } from '../assumed.tsx'
import { along, EntryText, looksOf, movable, movesIn, PeriodHead } from '../days/entry.tsx'
import { Lookup } from '../lookup.tsx'
import type { Bar, Lane, LaneGroup, Load, Scale, TimelineView } from './view-model.ts'

export function TimelineScreen({ view }: { readonly view: TimelineView }) {
  const { locale } = useReader()
  const create = view.create !== null && (
    <LinkButton href={view.create.href} tone="primary" icon="plus">
      {view.create.label}
    </LinkButton>
  )
  return (
    <>
      <PageHead title={view.title} meaning={view.meaning} actions={create || undefined} />
      <Lookup title={view.title} bar={view.bar} ignored={view.ignored} />
      <section className="sheet cal tl" aria-label={view.title} {...movesIn(view, locale)}>
        <PeriodHead of={view} />
        <Summary view={view} />
        <div
          className={`axis u${Math.floor(view.units / 10)} v${view.units % 10}`}
          data-first={view.first}
          data-minutes={view.minutes}
        >
          {view.above.length > 0 && <Scales scales={view.above} of="" looks="above" />}
          <Scales scales={view.scale} of={view.of} looks={view.above.length > 0 ? 'weeks' : 'days'} />
          <div className="ground" aria-hidden="true">
            {view.scale.map(({ start, length, isFree }) => (
              <span key={start} className={classes(along(start, length), isFree && 'off')} />
            ))}
            {view.now !== null && <span className={`${along(view.now.start, view.now.length)} now`} />}
          </div>
          {view.groups.map(group => (
            <Group key={group.label} group={group} />
          ))}
        </div>
        {view.empty !== null && <p className="muted none">{view.empty}</p>}
      </section>
      {view.cut !== null && <p className="muted">{view.cut}</p>}
      {view.tray !== null && (
        <Sheet title={view.tray.title} aside={view.tray.more ?? undefined}>
          <ul className="tray">
            {view.tray.entries.map(entry => (
              <li key={entry.id} className={classes('stay', looksOf(entry))} {...movable(entry)}>
                <EntryText entry={entry} />
              </li>
            ))}
          </ul>
        </Sheet>
      )}
      <AssumedBoxes assumed={view.assumed} />
    </>
  )
}

function Summary({ view: { summary, overlaps } }: { readonly view: TimelineView }) {
  return (
    <p className="sum">
      {summary}
      {overlaps !== null && (
        <span className="tag bad">
          <Icon name="alert" />
          {overlaps.label}:{' '}
          {overlaps.lanes.map(({ label, href }, at) => (
            <span key={href}>
              {at > 0 && ', '}
              <a href={href}>{label}</a>
            </span>
          ))}
        </span>
      )}
    </p>
  )
}

/** Each bar says its own time. */
function Scales({
  scales,
  of,
  looks,
}: {
  readonly scales: readonly Scale[]
  readonly of: string
  readonly looks: string
}) {
  return (
    <div className={`scale ${looks}`}>
      <span className="of" aria-hidden="true">
        {of}
      </span>
      <div className="row">
        {scales.map(({ label, long, href, start, length, isToday, isFree }) => {
          const looks = classes(along(start, length), isToday && 'now', isFree && 'off')
          return href === null ? (
            <span key={start} className={looks} aria-hidden="true">
              {label}
            </span>
          ) : (
            <a
              key={start}
              className={looks}
              href={href}
              aria-label={long ?? undefined}
              aria-current={isToday ? 'date' : undefined}
            >
              {label}
            </a>
          )
        })}
      </div>
    </div>
  )
}

function Group({ group: { label, load, lanes } }: { readonly group: LaneGroup }) {
  return (
    <>
      {label !== null && (
        <div className="group of">
          <h3>{label}</h3>
          {load !== null && <Taken load={load} />}
        </div>
      )}
      <ul className="lanes">
        {lanes.map(lane => (
          <LaneRow key={lane.id} lane={lane} level={label === null ? 'h3' : 'h4'} />
        ))}
      </ul>
    </>
  )
}

const Taken = ({ load: { tone, percent, text, short } }: { readonly load: Load }) => (
  <span className={`load ${tone}`}>
    <svg aria-hidden="true">
      <rect className="all" width="100%" height="100%" />
      <rect width={`${percent}%`} height="100%" />
    </svg>
    <small title={text}>{short}</small>
  </span>
)

interface LaneProps {
  readonly lane: Lane
  readonly level: 'h3' | 'h4'
}

function LaneRow({ lane: { id, value, label, href, load, bars, create }, level: Heading }: LaneProps) {
  return (
    <li className={classes('lane', bars.length === 0 && 'free')} id={id} data-lane={id} data-value={value ?? undefined}>
      <div className="of">
        <Heading>{href === null ? label : <a href={href}>{label}</a>}</Heading>
        {load !== null && <Taken load={load} />}
        {create !== null && (
          <a className="add" href={create.href} aria-label={create.label}>
            <Icon name="plus" />
          </a>
        )}
      </div>
      {bars.length > 0 && (
        <ul className="row">
          {bars.map(bar => (
            <BarItem key={bar.id} bar={bar} />
          ))}
        </ul>
      )}
    </li>
  )
}

function BarItem({ bar }: { readonly bar: Bar }) {
  const { start, length, begun, goesOn, besides, when } = bar
  return (
    <li
      className={classes(
        'stay',
        along(start, length),
        looksOf(bar),
        begun && 'begun',
        goesOn && 'goes-on',
        besides !== null && 'twice',
      )}
      {...movable(bar)}
    >
      <EntryText entry={bar} /> <span className="when">{when}</span>
      {besides !== null && <span className="besides"> {besides}</span>}
    </li>
  )
}
