/** A report: what it asks, the figures of each group with sums, and the records behind one of them. */
import { LinkButton, Menu, Submit } from '../../../ui/buttons.tsx'
import { FigureTable } from '../../../ui/figures.tsx'
import { Note, PageHead, Sheet } from '../../../ui/page.tsx'
import { EmptyState } from '../../../ui/problem.tsx'
import { useReader } from '../../../ui/reader.tsx'
import { AssumedBoxes } from '../assumed.tsx'
import { FormField } from '../form/control.tsx'
import { Lines } from '../lines.tsx'
import type { ReportView } from './view-model.ts'

export function ReportScreen({ view }: { readonly view: ReportView }) {
  const { words } = useReader()
  const { exports, behind } = view
  const actions = exports.length > 0 && (
    <Menu
      id="export"
      label={words('export')}
      wide
      icon="download"
      items={exports.map(({ label, href }) => ({ kind: 'link', label, href, icon: 'file' }))}
    />
  )
  return (
    <>
      <PageHead title={view.title} meaning={view.meaning} actions={actions || undefined} />
      {view.ignored.map(text => (
        <Note key={text} tone="wait" icon="alert">
          {text}
        </Note>
      ))}
      <div className="stack">
        {view.fields.length > 0 && (
          <form className="asks sheet" method="get" action={view.action}>
            {view.fields.map(field => (
              <FormField key={field.key} field={field} errors={field.errors} />
            ))}
            <Submit>{words('show')}</Submit>
          </form>
        )}
        <div className="sheet">
          {view.empty === null ? (
            <FigureTable label={view.caption} columns={view.columns} rows={view.rows} total={view.total} />
          ) : (
            <EmptyState title={view.empty} text="" />
          )}
        </div>
        {view.more !== null && <p className="muted">{view.more}</p>}
        {behind !== null && (
          <div id="behind">
            <Sheet
              title={behind.title}
              flush
              aside={
                <LinkButton href={behind.close} small icon="close">
                  {words('close')}
                </LinkButton>
              }
            >
              <Lines label={behind.title} lines={behind.list} />
              {behind.next !== null && (
                <p className="body">
                  <LinkButton href={`${behind.next}#behind`} small icon="arrow">
                    {words('next')}
                  </LinkButton>
                </p>
              )}
            </Sheet>
          </div>
        )}
      </div>
      <AssumedBoxes assumed={view.assumed} />
    </>
  )
}
