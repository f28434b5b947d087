/** One record: what one can do with it, what is possible from here and why not the rest, its facts. */
import { type ReactNode, useId } from 'react'
import { type Ask, AskButton, type Hidden, LinkButton, PostButton, type Tone } from './buttons.tsx'
import { StateDiagram, type StateDiagramProps } from './diagram.tsx'
import { Icon } from './icons.tsx'
import { Nothing } from './page.tsx'
import { LineMark } from './provenance.tsx'
import { classes, type Line, useReader } from './reader.tsx'
import { StateRing } from './state.tsx'
import type { Ring } from './states.ts'

/** A step that this person may do with this record now. */
export interface Step {
  /** Verb, sentence case: `Hand out`. */
  readonly label: string
  /** The record, for the button's name: `LN-2026-00007`. */
  readonly object: string
  /** The key that takes it. */
  readonly letter?: string | null
  readonly action: string
  readonly hidden: readonly Hidden[]
  /** The ring of the state that it leads to. */
  readonly ring: Ring
  /** `bad` where it leads to a bad end. */
  readonly tone?: Tone
  /** Asked before: final, costly, or with fields of its own. */
  readonly ask?: Ask | null
  /** The page with the fields that it asks for; pressing the button goes there. */
  readonly page?: string | null
  /** What it does, where the document says so. */
  readonly note?: string | null
  readonly line?: Line | null
}

/** A step that exists but cannot be done now, and why. */
export interface ClosedStep {
  readonly label: string
  /** `Not yet: only once Approved, and by a Clerk.` */
  readonly reason: string
  /** It leads on from other states only, as the diagram shows: its reason is there on request. */
  readonly elsewhere?: boolean
  readonly line?: Line | null
}

interface DecideProps {
  readonly title: string
  readonly note?: ReactNode
  readonly steps: readonly Step[]
}

/** The box with the buttons: the first step is the main one, the others stand two by two below it. Absent when there is nothing to do. */
export function Decide({ title, note, steps }: DecideProps) {
  const id = useId()
  const [first, ...others] = steps
  if (first === undefined) return null
  return (
    <section className="sheet decide" aria-labelledby={id}>
      <div className="body">
        <h2 id={id}>{title}</h2>
        {note != null && <p className="muted">{note}</p>}
        <StepButton step={first} tone={first.tone ?? 'primary'} />
        {others.length > 0 && (
          <div className={classes('two', others.length === 1 && 'single')}>
            {others.map(step => (
              <StepButton key={step.label} step={step} tone={step.tone ?? 'plain'} />
            ))}
          </div>
        )}
      </div>
    </section>
  )
}

/** One step as a button; one that asks opens its question, or leads to the page with its fields, first. */
function StepButton({ step, tone }: { readonly step: Step; readonly tone: Tone }) {
  const { label, object, letter = null, action, hidden, ask, page } = step
  const button = { action, hidden, tone, object, letter }
  if (page != null)
    return (
      <LinkButton href={page} tone={tone} object={object} letter={letter}>
        {label}
      </LinkButton>
    )
  return ask == null ? (
    <PostButton {...button}>{label}</PostButton>
  ) : (
    <AskButton {...button} ask={ask}>
      {label}
    </AskButton>
  )
}

interface ProgressProps {
  /** Null where there is no diagram to show. */
  readonly diagram: StateDiagramProps | null
  readonly open: readonly Step[]
  readonly closed: readonly ClosedStep[]
  readonly line?: Line | null
  /** Below the list: where the rest is explained. */
  readonly foot?: ReactNode
}

/** Diagram and, beneath it, the list of what can be done from here and what cannot, with reasons and lines. */
export function Progress({ diagram, open, closed, line, foot }: ProgressProps) {
  const { words } = useReader()
  const id = useId()
  return (
    <section className="sheet noprint" aria-labelledby={id}>
      <header>
        <h2 id={id}>{words('progress')}</h2>
        <LineMark line={line} />
      </header>
      {diagram !== null && <StateDiagram {...diagram} />}
      <FromHere open={open} closed={closed} />
      {foot}
    </section>
  )
}

interface FromHereProps {
  readonly open: readonly Step[]
  readonly closed: readonly ClosedStep[]
}

export function FromHere({ open, closed }: FromHereProps) {
  const { words } = useReader()
  if (open.length + closed.length === 0) return null
  const near = closed.filter(({ elsewhere }) => elsewhere !== true)
  const far = closed.filter(({ elsewhere }) => elsewhere === true)
  return (
    <>
      {open.length + near.length > 0 && (
        <>
          <h3 className="sub">{words('fromHere')}</h3>
          <Moves open={open} closed={near} />
        </>
      )}
      {far.length > 0 && (
        <details className="far">
          <summary>{words('elsewhere', { steps: far.map(({ label }) => label).join(', ') })}</summary>
          <Moves open={[]} closed={far} />
        </details>
      )}
    </>
  )
}

function Moves({ open, closed }: FromHereProps) {
  return (
    <ul className="moves">
      {open.map(({ label, ring, note, line }) => (
        <li key={label}>
          <span className={`lab st st-${ring.family}`}>
            <StateRing ring={ring} />
            {label}
          </span>
          <span className="muted">{note}</span>
          <LineMark line={line} />
        </li>
      ))}
      {closed.map(({ label, reason, line }) => (
        <li key={`${label} ${reason}`} className="no">
          <span className="lab st">
            <Icon name="lock" />
            {label}
          </span>
          <span>{reason}</span>
          <LineMark line={line} />
        </li>
      ))}
    </ul>
  )
}

interface Fact {
  readonly label: string
  /** Null or empty text: shown as empty. */
  readonly value: ReactNode
  /** A paragraph: takes the whole width. */
  readonly long?: boolean
  readonly line?: Line | null
}

/** Facts in columns, paragraphs below them in full width. */
export function DescriptionList({ facts }: { readonly facts: readonly Fact[] }) {
  const short = facts.filter(fact => !fact.long)
  const long = facts.filter(fact => fact.long)
  return (
    <>
      {short.length > 0 && <Facts facts={short} className="dl" />}
      {long.length > 0 && <Facts facts={long} className="dl long" />}
    </>
  )
}

function Facts({ facts, className }: { readonly facts: readonly Fact[]; readonly className: string }) {
  return (
    <dl className={className}>
      {facts.map(({ label, value, line }) => (
        <div key={label}>
          <dt>
            {label} <LineMark line={line} />
          </dt>
          <dd>{value === null || value === '' ? <Nothing /> : value}</dd>
        </div>
      ))}
    </dl>
  )
}

interface RecordGridProps {
  /** First on a phone, top of the side column on a desktop. */
  readonly decide?: ReactNode
  readonly main: ReactNode
  readonly side?: ReactNode
}

/** The columns of a record's page. */
export function RecordGrid({ decide, main, side }: RecordGridProps) {
  const { words } = useReader()
  if (decide == null && side == null) return <div className="stack">{main}</div>
  return (
    <div className="rec">
      {decide != null && <div className="rec-dec stack">{decide}</div>}
      <div className="rec-main stack">{main}</div>
      {side != null && (
        <aside className="side2 stack" aria-label={words('related')}>
          {side}
        </aside>
      )}
    </div>
  )
}
