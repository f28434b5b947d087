/** The parts that components beside a document are given as `ninefold/ui`: what `types/ui.d.ts` promises, by our own parts and styles. */
import type * as Kit from '../../types/ui.d.ts'
import { LinkButton as OwnLinkButton, PostButton, type Tone } from './buttons.tsx'
import { Note as OwnNote, Tag as OwnTag } from './page.tsx'
import { PlainTable } from './plain-table.tsx'
import { Drawing } from './problem.tsx'
import { classes } from './reader.tsx'

export { Stack } from './page.tsx'

const toneOf = (primary: boolean | undefined): Tone => (primary === true ? 'primary' : 'plain')

export const Row: typeof Kit.Row = ({ children }) => <div className="acts">{children}</div>

export const Section: typeof Kit.Section = ({ title, children }) => (
  <section className="stack">
    <h2>{title}</h2>
    {children}
  </section>
)

export const Button: typeof Kit.Button = ({ onClick, primary, disabled, children }) => (
  <button type="button" className={classes('btn', primary && 'pri')} onClick={onClick} disabled={disabled}>
    {children}
  </button>
)

export const LinkButton: typeof Kit.LinkButton = ({ href, primary, children }) => (
  <OwnLinkButton href={href} tone={toneOf(primary)}>
    {children}
  </OwnLinkButton>
)

export const StepButton: typeof Kit.StepButton = ({ step: { label, action, hidden, confirm }, primary }) =>
  confirm === null ? (
    <PostButton action={action} hidden={hidden} tone={toneOf(primary)}>
      {label}
    </PostButton>
  ) : (
    <LinkButton href={confirm} primary={primary === true}>
      {label}
    </LinkButton>
  )

export const Tag: typeof Kit.Tag = ({ tone = 'mute', children }) => <OwnTag tone={tone}>{children}</OwnTag>

const signs = { go: 'info', wait: 'clock', good: 'check', bad: 'alert' } as const

export const Note: typeof Kit.Note = ({ tone = 'go', children }) => (
  <OwnNote tone={tone} icon={signs[tone]}>
    {children}
  </OwnNote>
)

export const Facts: typeof Kit.Facts = ({ facts }) => (
  <dl className="dl">
    {facts.map(({ label, value }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value == null || value === '' ? '–' : value}</dd>
      </div>
    ))}
  </dl>
)

export const Figures: typeof Kit.Figures = ({ of, figures }) => (
  <section aria-label={of}>
    <dl className="kpis">
      {figures.map(({ label, value, note, href }) => (
        <div key={label} className="kpi">
          <dt>{label}</dt>
          <dd className="v">{href === undefined ? value : <a href={href}>{value}</a>}</dd>
          {note !== undefined && <dd className="muted">{note}</dd>}
        </div>
      ))}
    </dl>
  </section>
)

export const Table: typeof Kit.Table = ({ of, columns, rows, total }) => (
  <PlainTable
    label={of}
    columns={columns.map(({ label, numeric = false }) => ({ key: label, label, numeric }))}
    rows={rows.map(({ key, cells }) => ({ id: key, cells }))}
    foot={total ?? null}
  />
)

export const Empty: typeof Kit.Empty = ({ title, text, action }) => (
  <div className="empty">
    <Drawing art="nothing" />
    <h2>{title}</h2>
    {text !== undefined && <p>{text}</p>}
    {action !== undefined && <div className="acts">{action}</div>}
  </div>
)

export const Field: typeof Kit.Field = ({ label, hint, children }) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is what stands in it
  <label className="field">
    <span className="lab">{label}</span>
    {children}
    {hint !== undefined && <span className="hint muted">{hint}</span>}
  </label>
)
