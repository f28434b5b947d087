/** The form over a list in which columns are chosen, there on request: a plain GET form. */
import { HiddenInputs, LinkButton, Submit } from '../../../ui/buttons.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { Sheet } from '../../../ui/page.tsx'
import { useReader } from '../../../ui/reader.tsx'
import type { ColumnChooserView } from '../table-view.ts'

/** The buttons by which a column changes places with the one before or after it. */
const moves = [
  { name: 'before', step: -1, icon: 'back' },
  { name: 'after', step: 1, icon: 'arrow' },
] as const

export function ColumnChooser({
  form,
  close,
}: {
  readonly form: NonNullable<ColumnChooserView['form']>
  readonly close: string
}) {
  const { words } = useReader()
  return (
    <Sheet title={words('columns')}>
      <form method="get" action={form.action} className="stack" data-close={close}>
        {/* Enter applies; it does not move a column. */}
        <button type="submit" hidden />
        <HiddenInputs inputs={form.hidden} />
        <fieldset className="stack">
          <legend className="vh">{words('columns')}</legend>
          <ol className="acts">
            {form.columns.map(({ value, label, chosen }, at) => (
              <li className="acts" key={value}>
                <label className="opt">
                  <input
                    type="checkbox"
                    name="_columns"
                    value={value}
                    defaultChecked={chosen}
                    // biome-ignore lint/a11y/noAutofocus: somebody has just asked for these boxes
                    autoFocus={form.moved === null && at === 0}
                  />{' '}
                  {label}
                </label>
                {chosen &&
                  moves.map(({ name, step, icon }) => {
                    const other = form.columns[at + step]
                    return other?.chosen ? (
                      <button
                        key={name}
                        type="submit"
                        className="btn sm quiet"
                        name="_move"
                        value={`${value}.${name}`}
                        // biome-ignore lint/a11y/noAutofocus: it was just pressed, and may be pressed again
                        autoFocus={form.moved === `${value}.${name}`}
                      >
                        <Icon name={icon} />
                        <span className="vh">{words(`column.${name}`, { column: label, other: other.label })}</span>
                      </button>
                    ) : null
                  })}
              </li>
            ))}
          </ol>
        </fieldset>
        <div className="acts">
          <Submit tone="primary">{words('apply')}</Submit>
          <LinkButton href={close}>{words('cancel')}</LinkButton>
        </div>
      </form>
    </Sheet>
  )
}
