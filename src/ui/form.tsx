/** Forms: one column; label, hint, error, control in this order; nothing typed is ever lost; every button is a plain submit. */
import { type FormHTMLAttributes, Fragment, type ReactNode, type Ref, useId } from 'react'
import { type Hidden, HiddenInputs } from './buttons.tsx'
import { Icon } from './icons.tsx'
import { LineMark } from './provenance.tsx'
import { classes, type Line, useReader } from './reader.tsx'

export interface Fault {
  /** The control's id, without `#`; null for a rule about the whole record. */
  readonly control: string | null
  /** Where it is, if it stands on another page. */
  readonly href?: string | null
  /** The rule and the value, with the limit from the document. The same words stand beside the field. */
  readonly text: string
  readonly line?: Line | null
  /** It may be confirmed. */
  readonly warning?: boolean
  /** The other record that it is about. */
  readonly of?: { readonly title: string; readonly href: string | null } | null
}

/** On top of the page, above the h1: what is wrong, each with a way to it. Takes the focus when the page arrives. */
export function ErrorSummary({ faults }: { readonly faults: readonly Fault[] }) {
  const { words } = useReader()
  const id = useId()
  if (faults.length === 0) return null
  const onlyWarns = faults.every(({ warning }) => warning === true)
  return (
    // biome-ignore lint/a11y/noAutofocus: after a refused form the summary is what has to be read first
    <div className={classes('summary', onlyWarns && 'wait')} role="alert" tabIndex={-1} aria-labelledby={id} autoFocus>
      <Icon name="alert" />
      <h2 id={id}>{words(onlyWarns ? 'warned' : 'problem')}</h2>
      <p>{onlyWarns ? words('warnedHow') : words('nothingLost', { count: faults.length })}</p>
      <ul>
        {faults.map(({ control, href = control === null ? null : `#${control}`, text, line, warning, of }) => (
          <li key={`${href} ${of?.href} ${text}`}>
            {warning === true && words('warningPrefix')}
            {href === null ? <strong>{text}</strong> : <a href={href}>{text}</a>}{' '}
            {of != null && (of.href === null ? of.title : <a href={of.href}>{of.title}</a>)} <LineMark line={line} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** What a control needs to be joined to its label, hint and error. Spread it onto the control. */
export interface ControlAid {
  readonly id: string
  readonly 'aria-describedby'?: string
  readonly 'aria-invalid'?: true
  readonly 'aria-keyshortcuts'?: string
}

interface FieldProps {
  /** Unique on the page; also the target of the error summary's link. */
  readonly id: string
  readonly label: string
  /** Marked; required is normal and is not. */
  readonly optional?: boolean
  readonly hint?: ReactNode
  /** What a script shows by itself; without one it is said with the hint. */
  readonly noted?: string | null | undefined
  readonly error?: string | null
  /** The error may be confirmed. */
  readonly warns?: boolean
  readonly width?: 'small' | 'medium' | null
  readonly line?: Line | null
  readonly children: (aid: ControlAid) => ReactNode
}

export function Field({ id, label, optional = false, hint, noted, error, warns, width, line, children }: FieldProps) {
  const { words } = useReader()
  return (
    <div className={classes('field', wrongness(error, warns), width === 'small' && 'w-s', width === 'medium' && 'w-m')}>
      <span className="lab">
        <label htmlFor={id}>{label}</label> {optional && <span className="req">{words('optional')} </span>}
        <LineMark line={line} />
      </span>
      <Around id={id} hint={hint} noted={noted} error={error} warns={warns} />
      {children(controlAid({ id, hint, noted, error, warns }))}
    </div>
  )
}

interface BesideFieldProps extends Omit<FieldProps, 'label' | 'optional' | 'width'> {}

/** A box with its words beside it needs no label above. */
export function BesideField({ id, hint, noted, error, warns, line, children }: BesideFieldProps) {
  return (
    <div className={classes('field', wrongness(error, warns))}>
      <Around id={id} hint={hint} noted={noted} error={error} warns={warns} />
      <span className="beside">
        {children(controlAid({ id, hint, noted, error, warns }))}
        <LineMark line={line} />
      </span>
    </div>
  )
}

/** What is there but not entered: label and value, in the place where the control would be. */
export function ShownField({
  label,
  line,
  children,
}: Pick<FieldProps, 'label' | 'line'> & { readonly children: ReactNode }) {
  return (
    <dl className="field shown">
      <dt className="lab">
        {label} <LineMark line={line} />
      </dt>
      <dd>{children}</dd>
    </dl>
  )
}

/** Controls that belong together under one legend: choices, a list of lines. The legend is the question. */
export function FieldGroup({ id, label, optional = false, hint, noted, error, warns, line, children }: FieldProps) {
  const { words } = useReader()
  const aid = controlAid({ id, hint, noted, error, warns })
  return (
    <fieldset id={id} className={classes('field', wrongness(error, warns))} aria-describedby={aid['aria-describedby']}>
      <legend>
        {label} {optional && <span className="req">{words('optional')} </span>}
        <LineMark line={line} />
      </legend>
      <Around id={id} hint={hint} noted={noted} error={error} warns={warns} />
      {children(aid)}
    </fieldset>
  )
}

/** What a field is marked as: wrong, or only doubtful. */
export const wrongness = (error: string | null | undefined, warns = false): string | false =>
  error != null && (warns ? 'warned' : 'bad')

interface AroundProps {
  readonly id: string
  readonly hint: ReactNode
  readonly noted: string | null | undefined
  readonly error: string | null | undefined
  readonly warns: boolean | undefined
}

function Around({ id, hint, noted, error, warns = false }: AroundProps) {
  const { words } = useReader()
  return (
    <>
      {hint != null && (
        <p className="hint" id={`${id}-h`}>
          {hint}
        </p>
      )}
      {noted != null && (
        <noscript className="hint" id={`${id}-n`}>
          {noted}
        </noscript>
      )}
      {error != null && (
        <p className={classes('err', warns && 'wait')} id={`${id}-e`}>
          <Icon name="alert" />
          <span>
            <span className="vh">{words(warns ? 'warningPrefix' : 'errorPrefix')}</span>
            {error}
          </span>
        </p>
      )}
    </>
  )
}

function controlAid({ id, hint, noted, error, warns = false }: AroundProps): ControlAid {
  const described = classes(hint != null && `${id}-h`, noted != null && `${id}-n`, error != null && `${id}-e`)
  return {
    id,
    ...(described === undefined ? {} : { 'aria-describedby': described }),
    ...(error == null || warns ? {} : { 'aria-invalid': true as const }),
  }
}

export interface FormSubmit {
  readonly label: string
  readonly name?: string
  readonly value?: string
}

export interface RecordFormProps {
  readonly action: string
  readonly hidden: readonly Hidden[]
  /** There are files in it. */
  readonly files?: boolean
  /** What Enter does, and the only primary button; `danger`: it leads to a bad end, or takes away. */
  readonly submit: FormSubmit & { readonly danger?: boolean }
  /** Submits that do not insist on complete answers: save as draft. */
  readonly others?: readonly FormSubmit[]
  readonly cancel?: { readonly label: string; readonly href: string } | null
  /** At the end of the bar: `Draft kept 14:02`. */
  readonly status?: string
  /** It came back with what was typed, which is saved nowhere: leaving asks first. */
  readonly unsaved?: boolean
  /** For the island that takes the form over. */
  readonly events?: Pick<FormHTMLAttributes<HTMLFormElement>, 'onInput' | 'onBlur' | 'onSubmit' | 'onKeyDown'>
  readonly formRef?: Ref<HTMLFormElement>
  readonly children: ReactNode
}

/** The form of a record. The server checks everything, so the browser's own bubbles are off. */
export function RecordForm({
  action,
  hidden,
  files = false,
  submit,
  others = [],
  cancel,
  status,
  unsaved = false,
  events = {},
  formRef,
  children,
}: RecordFormProps) {
  const { words } = useReader()
  return (
    <form
      ref={formRef}
      method="post"
      action={action}
      encType={files ? 'multipart/form-data' : undefined}
      noValidate
      data-guard={unsaved ? 'unsaved' : ''}
      data-offline={words('offline')}
      {...events}
    >
      {/* Enter presses the first submit of a form: it must not be "Remove row 1". */}
      <button type="submit" hidden name={submit.name} value={submit.value} tabIndex={-1} />
      <HiddenInputs inputs={hidden} />
      {children}
      <div className="bar">
        <button
          type="submit"
          className={classes('btn', submit.danger ? 'bad' : 'pri')}
          name={submit.name}
          value={submit.value}
        >
          {submit.label}
        </button>
        {others.map(other => (
          <button key={other.label} type="submit" className="btn" name={other.name} value={other.value} formNoValidate>
            {other.label}
          </button>
        ))}
        {cancel != null && (
          <a className="btn quiet" href={cancel.href}>
            {cancel.label}
          </a>
        )}
        <output className="end">
          {status} {/* Shown by the style sheet once something was changed. */}
          <span className="unsaved">{words('unsaved')}</span>
        </output>
      </div>
    </form>
  )
}

/** A titled part of a form. */
export function FormSection({ title, children }: { readonly title?: string; readonly children: ReactNode }) {
  return (
    <fieldset className="sec">
      {title !== undefined && <legend>{title}</legend>}
      {children}
    </fieldset>
  )
}

/** Fields of the same anatomy side by side where there is room. */
export function FieldPair({ children }: { readonly children: ReactNode }) {
  return <div className="g2">{children}</div>
}

/** The form and, beside it, what happens next and which rules apply. */
export function FormGrid({ children, aside }: { readonly children: ReactNode; readonly aside?: ReactNode }) {
  const { words } = useReader()
  return (
    <div className="formgrid">
      <div>{children}</div>
      {aside != null && (
        <aside className="stack" aria-label={words('related')}>
          {aside}
        </aside>
      )}
    </div>
  )
}

export interface RuleStatus {
  readonly text: string
  readonly status: 'kept' | 'broken' | 'open'
  readonly line?: Line | null
}

/**
 * Beside a form: what is checked, and whether it is kept. The words of a rule are those of its refusal: where nothing is refused they are quoted.
 * Rules that refuse in the same words stand once, as the worst of them does.
 */
export function Rules({ rules }: { readonly rules: readonly RuleStatus[] }) {
  const { words } = useReader()
  const id = useId()
  if (rules.length === 0) return null
  const signs = {
    broken: ['no', 'close', 'ruleBroken'],
    open: ['na', 'info', 'ruleOpen'],
    kept: ['ok', 'check', 'ruleKept'],
  } as const
  const worst = ['broken', 'open', 'kept'] as const
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{words('whatIsChecked')}</h2>
      <ul className="rules">
        {[...Map.groupBy(rules, ({ text }) => text)].map(([text, alike]) => {
          const status = worst.find(one => alike.some(rule => rule.status === one)) ?? 'open'
          const [className, icon, word] = signs[status]
          return (
            <li key={text} className={className}>
              <Icon name={icon} />
              <span>
                <span className="vh">{words(word)}: </span>
                {status === 'broken' ? text : <q>{text}</q>}
                {alike.map(
                  ({ line }) =>
                    line != null && (
                      <Fragment key={`${line.file} ${line.line}`}>
                        {' '}
                        <LineMark line={line} />
                      </Fragment>
                    ),
                )}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
