/** The form over records in which filters are put together, there on request: a plain GET form. */
import { HiddenInputs, LinkButton, Submit } from '../../ui/buttons.tsx'
import { SelectControl, SeveralControl, TextControl } from '../../ui/controls.tsx'
import { Field, FieldGroup } from '../../ui/form.tsx'
import { Sheet } from '../../ui/page.tsx'
import { useReader } from '../../ui/reader.tsx'
import type { FilterBuilderView } from './filter-view.ts'

type BuilderForm = NonNullable<FilterBuilderView['form']>

export function FilterBuilder({ form, close }: { readonly form: BuilderForm; readonly close: string }) {
  const { words } = useReader()
  const last = form.rows.at(-1)
  const isNew = last !== undefined && last.values.length === 0 && !/empty|\./.test(last.comparison)
  const added = form.rows.find(({ search }) => (search?.query ?? '') !== '') ?? (isNew ? last : undefined)
  return (
    <Sheet title={words('filters')}>
      <form method="get" action={form.action} className="builder stack" data-close={close}>
        {/* Enter applies; it does not press a row's Remove. */}
        <button type="submit" name="_build" value="apply" hidden />
        <HiddenInputs inputs={form.hidden} />
        {form.rows.map(row => (
          <BuilderRow
            key={row.at}
            row={row}
            groups={form.groups}
            isAdded={row === added}
            isAlone={form.rows.length === 1}
          />
        ))}
        <div className="brow">
          <Field id="filter-add" label={words('filterAdd')} width="medium">
            {aid => (
              <SelectControl
                aid={aid}
                name="_add"
                value=""
                options={form.fields}
                empty={words('choose')}
                first={added === undefined}
              />
            )}
          </Field>
          <Submit name="_build" value="add">
            {words('filterAddGo')}
          </Submit>
        </div>
        <div className="acts">
          <Submit name="_build" value="apply" tone="primary">
            {words('apply')}
          </Submit>
          <LinkButton href={close}>{words('cancel')}</LinkButton>
        </div>
      </form>
    </Sheet>
  )
}

function BuilderRow({
  row,
  groups,
  isAdded,
  isAlone,
}: {
  readonly row: BuilderForm['rows'][number]
  readonly groups: BuilderForm['groups']
  readonly isAdded: boolean
  /** Nothing to be joined with. */
  readonly isAlone: boolean
}) {
  const { words } = useReader()
  const { at, label, options, several, search, values, date } = row
  const id = `filter-${at}`
  return (
    <fieldset className="brow">
      <legend>{label}</legend>
      <input type="hidden" name={`_f${at}`} value={row.field} />
      <Field id={`${id}-c`} label={words('comparison')}>
        {aid => (
          <SelectControl aid={aid} name={`_c${at}`} value={row.comparison} options={row.comparisons} empty={null} />
        )}
      </Field>
      {options === null || !several ? (
        <Field id={`${id}-v`} label={words('value')}>
          {aid =>
            options === null ? (
              <TextControl
                aid={aid}
                name={`_v${at}`}
                value={values[0] ?? ''}
                type={date ? 'date' : 'text'}
                first={isAdded}
              />
            ) : (
              <SelectControl aid={aid} name={`_v${at}`} value={values[0] ?? ''} options={options} first={isAdded} />
            )
          }
        </Field>
      ) : (
        <FieldGroup id={`${id}-v`} label={words('value')}>
          {aid => (
            <SeveralControl
              aid={aid}
              name={`_v${at}`}
              value={values.join('\n')}
              parted={'\n'}
              options={options}
              search={search}
              first={isAdded}
            />
          )}
        </FieldGroup>
      )}
      {!isAlone && (
        <Field id={`${id}-g`} label={words('joined')}>
          {aid => <SelectControl aid={aid} name={`_g${at}`} value={row.group} options={groups} empty={null} />}
        </Field>
      )}
      <Submit name="_build" value={`drop${at}`} tone="quiet" object={label}>
        {words('remove')}
      </Submit>
    </fieldset>
  )
}
