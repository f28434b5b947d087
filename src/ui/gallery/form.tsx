/** A refused form with every kind of control. */
import { ChildRows } from '../child-rows.tsx'
import {
  AreaControl,
  CheckControl,
  FigureControl,
  PickControl,
  RadioControl,
  SelectControl,
  TextControl,
} from '../controls.tsx'
import {
  BesideField,
  ErrorSummary,
  Field,
  FieldGroup,
  FieldPair,
  FormGrid,
  FormSection,
  RecordForm,
  Rules,
  ShownField,
} from '../form.tsx'
import { PageHead } from '../page.tsx'
import { at, hidden } from './samples.tsx'

const faults = [
  { control: 'due_back', text: 'You can borrow for at most 14 days; this is 15.', line: at(5, 128) },
  { control: 'lines', text: 'Choose at least 1 item.' },
  { control: null, text: 'Loans above €5,000.00 need a purpose.' },
]

export const form = (
  <FormGrid
    aside={
      <Rules
        rules={[
          { text: 'The return date is after the day you take the items', status: 'kept', line: at(5, 127) },
          { text: 'At most 14 days', status: 'broken', line: at(5, 128) },
          { text: 'Loans above €5,000.00 need a purpose', status: 'open', line: at(5, 130) },
        ]}
      />
    }
  >
    <ErrorSummary faults={faults} />
    <PageHead title="New loan" />
    <RecordForm
      action="/loans/new"
      hidden={hidden}
      submit={{ label: 'Save loan', name: 'do', value: 'save' }}
      others={[{ label: 'Save as draft', name: 'do', value: 'draft' }]}
      cancel={{ label: 'Cancel', href: '/loans' }}
      status="Draft kept 14:02"
    >
      <FormSection title="When">
        <FieldPair>
          <Field id="out_on" label="Out on" line={at(3, 70)}>
            {aid => <TextControl aid={aid} name="out_on" type="date" value="2026-03-02" required />}
          </Field>
          <Field
            id="due_back"
            label="Due back"
            hint="At most 14 days"
            error="You can borrow for at most 14 days; this is 15."
          >
            {aid => <TextControl aid={aid} name="due_back" type="date" value="2026-03-17" required />}
          </Field>
        </FieldPair>
      </FormSection>
      <FormSection title="What">
        <Field id="category" label="Category" width="medium">
          {aid => <SelectControl aid={aid} name="category" value="gone" options={[{ value: '1', label: 'Cameras' }]} />}
        </Field>
        <Field id="value" label="Total value" hint="Added up from the lines" width="medium">
          {aid => <FigureControl aid={aid} name="value" value="4200.00" unit="EUR" readOnly />}
        </Field>
        <ChildRows
          id="lines"
          label="Lines"
          hint="At most 6 items"
          error="Choose at least 1 item."
          columns={[{ label: 'Item' }, { label: 'Value', numeric: true }, { label: 'Note', optional: true }]}
          rows={[1, 2].map(number => ({
            key: `line${number}`,
            id: `lines-${number}`,
            name: `Row ${number}`,
            hidden: [{ name: `lines.${number}.id`, value: String(number) }],
            errors: [number === 2 ? 'ThinkPad X1 was retired on 1 Feb 2026.' : null, null, null],
            cells: [
              <SelectControl
                key="item"
                aid={{
                  id: `line${number}-item`,
                  ...(number === 2 ? { 'aria-describedby': 'line2-0-e', 'aria-invalid': true } : {}),
                }}
                name={`lines.${number}.item`}
                label={`Row ${number}, item`}
                value="1"
                options={[{ value: '1', label: 'CA-0001 Sony A7' }]}
              />,
              <TextControl
                key="value"
                aid={{ id: `line${number}-value` }}
                name={`lines.${number}.value`}
                label={`Row ${number}, value`}
                value="2400.00"
                numeric
                inputMode="decimal"
              />,
              <TextControl
                key="note"
                aid={{ id: `line${number}-note` }}
                name={`lines.${number}.note`}
                label={`Row ${number}, note`}
                value=""
              />,
            ],
            remove: { label: 'Remove', name: 'do', value: `remove:lines:${number}` },
          }))}
          totals={[null, '€4,800.00', null]}
          add={{ label: 'Add an item', name: 'do', value: 'add:lines' }}
        />
      </FormSection>
      <FormSection title="Why">
        <Field id="purpose" label="Purpose" optional hint="Needed above €5,000.00">
          {aid => <AreaControl aid={aid} name="purpose" value={'Two lines\nof text'} maxLength={500} />}
        </Field>
        <FieldGroup id="hurry" label="How urgent">
          {() => (
            <RadioControl
              id="hurry"
              name="hurry"
              value="normal"
              options={[
                { value: 'normal', label: 'Normal' },
                { value: 'high', label: 'High', hint: 'Clerks are reminded after one working day' },
              ]}
            />
          )}
        </FieldGroup>
        <Field id="keeper" label="Keeper" error="Keeper names a record that is not there.">
          {aid => (
            <PickControl
              aid={aid}
              name="keeper"
              value="2"
              chosen="Cleo Clerk"
              query="cl"
              results={[
                { value: '2', label: 'Cleo Clerk' },
                { value: '3', label: 'Clara Lindqvist-Oberhausen' },
              ]}
              note="There are more: type more of the name."
              source="/-/options?entity=category&field=keeper"
            />
          )}
        </Field>
        <ShownField label="Days" line={at(3, 72)}>
          14
        </ShownField>
        <BesideField id="read" hint="They hang beside the door" line={at(3, 74)}>
          {aid => <CheckControl aid={aid} name="read" value="yes" text="I have read the rules" />}
        </BesideField>
      </FormSection>
    </RecordForm>
  </FormGrid>
)
