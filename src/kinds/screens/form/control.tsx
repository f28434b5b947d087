/** A field of a form as its control. Which element a kind of control becomes is decided here and nowhere else. */
import { useState } from 'react'
import {
  AreaControl,
  CheckControl,
  FigureControl,
  ListedControl,
  type Made,
  PickControl,
  RadioControl,
  SelectControl,
  SeveralControl,
  TextControl,
} from '../../../ui/controls.tsx'
import { FileControl } from '../../../ui/file-control.tsx'
import { BesideField, type ControlAid, Field, FieldGroup, ShownField } from '../../../ui/form.tsx'
import { useReader } from '../../../ui/reader.tsx'
import { errorText, Value } from '../value.tsx'
import type { ControlView, ErrorView, FieldView } from '../view-model.ts'
import { NewButton, useQuick } from './quick.tsx'

interface FormFieldProps {
  readonly field: FieldView
  readonly errors: readonly ErrorView[]
}

/** A field that stands by itself: label, hint, error, control. */
export function FormField({ field, errors }: FormFieldProps) {
  const { id, name, value, label, hint, required, control, mark } = field
  const around = { id, hint, noted: field.conditions, error: messageOf(errors), warns: onlyWarns(errors), line: mark }
  switch (control.kind) {
    case 'shown':
      return (
        <ShownField label={label} line={mark}>
          <Value value={control.value} />
        </ShownField>
      )
    case 'radio':
      return (
        <FieldGroup {...around} label={label} optional={!required}>
          {() => <RadioControl id={id} name={name} value={value} options={control.options} />}
        </FieldGroup>
      )
    case 'several':
      return (
        <FieldGroup {...around} label={label} optional={!required}>
          {aid => <Control field={field} aid={aid} />}
        </FieldGroup>
      )
    case 'checkbox':
      return (
        <BesideField {...around}>
          {aid => <CheckControl aid={aid} name={name} value={value} text={label} />}
        </BesideField>
      )
    default:
      return (
        <Field {...around} label={label} optional={!required} width={widthOf(control)}>
          {aid => <Control field={field} aid={aid} />}
        </Field>
      )
  }
}

interface ConditionsProps {
  readonly conditions: string | null | undefined
  /** The column that they are of. */
  readonly of: string
}

/** A script shows, asks and locks by itself; without one it is said when it does. */
export const Conditions = ({ conditions, of }: ConditionsProps) =>
  conditions == null ? null : <noscript className="hint">{`${of}: ${conditions}`}</noscript>

export interface ControlProps {
  readonly field: FieldView
  readonly aid: ControlAid
  /** Where no visible label does: cells of rows. */
  readonly label?: string
}

/** The control alone. */
export function Control({ field, aid, label }: ControlProps) {
  const { name, value, control } = field
  const common = { aid, name, value, ...(label === undefined ? {} : { label }) }
  switch (control.kind) {
    case 'input': {
      const props = {
        ...common,
        type: control.type,
        autoComplete: control.autoComplete as 'off',
        numeric: control.numeric,
        ...given('inputMode', control.inputMode),
        ...given('maxLength', control.maxLength),
        ...given('min', control.min),
        ...given('max', control.max),
      }
      return control.affix === null ? <TextControl {...props} /> : <FigureControl {...props} unit={control.affix} />
    }
    case 'textarea':
      return <AreaControl {...common} {...given('maxLength', control.maxLength)} />
    case 'select':
    case 'pick':
    case 'several':
      return <RecordControl field={field} aid={aid} {...(label === undefined ? {} : { label })} control={control} />
    case 'radio':
      return <RadioControl id={aid.id} name={name} value={value} options={control.options} />
    case 'checkbox':
      return <CheckControl {...common} text="" />
    case 'file':
      return <FileControl {...common} {...control} />
    case 'shown':
      return (
        <span className={isNumeric(control) ? 'cellv end' : 'cellv'}>
          <Value value={control.value} />
        </span>
      )
  }
}

/** Options among which one is found without looking for it. */
const atAGlance = 8

type Chooser = Extract<ControlView, { readonly kind: 'select' | 'pick' | 'several' }>

/** A choice; of records, with a way to make one that is not there. */
function RecordControl({ field, aid, label, control }: ControlProps & { readonly control: Chooser }) {
  const { words } = useReader()
  const { name, value, required, create = null } = field
  const [made, setMade] = useState<readonly Made[]>([])
  const quick = useQuick(create, option => setMade(before => [...before, { option }]))
  const common = { aid, name, value, ...(label === undefined ? {} : { label }) }
  const last = made.at(-1) ?? null
  const chooser =
    control.kind === 'select' && control.source !== undefined && control.options.length > atAGlance ? (
      <ListedControl {...common} {...control} source={control.source} onCreate={quick} made={last} />
    ) : control.kind === 'select' ? (
      <SelectControl
        {...common}
        {...control}
        empty={required && control.empty === '' ? words('choose') : control.empty}
        made={last}
      />
    ) : control.kind === 'pick' ? (
      <PickControl {...common} {...control} onCreate={quick} made={last} />
    ) : (
      <SeveralControl {...common} {...control} made={made} />
    )
  if (create === null) return chooser
  return (
    <div className={label === undefined ? 'newable' : 'newable in-row'}>
      {chooser}
      <NewButton create={create} open={quick === null ? null : () => quick('')} of={label ?? null} />
    </div>
  )
}

/** All messages of a field as one text: the same words as in the summary. */
export const messageOf = (errors: readonly ErrorView[]): string | null =>
  errors.length === 0 ? null : errors.map(errorText).join(' ')

/** Nothing is wrong that may not be confirmed. */
export const onlyWarns = (errors: readonly ErrorView[]): boolean =>
  errors.length > 0 && errors.every(({ warning }) => warning === true)

/** A figure, typed or shown. */
export const isNumeric = (control: ControlView): boolean =>
  control.kind === 'shown' ? control.value.look === 'number' : control.kind === 'input' && control.numeric

/** One of many records. */
export const isPicked = (control: ControlView): boolean =>
  control.kind === 'pick' || (control.kind === 'select' && control.source !== undefined)

const widths = { short: 'small', medium: 'medium', full: null } as const

function widthOf(control: ControlView): 'small' | 'medium' | null {
  if (control.kind === 'input') return widths[control.size]
  return control.kind === 'textarea' ? null : 'medium'
}

/** Absent attributes are left out, so that they do not stand in the way of a control's own. */
function given<Name extends string, Value>(name: Name, value: Value | null): { [N in Name]?: Value } {
  return (value === null ? {} : { [name]: value }) as { [N in Name]?: Value }
}
