/** Where in its file a table was found, what else the file has, and the form that reads it from another place. */
import type { Job, TablePlace } from '../../run/many/jobs.ts'
import { HiddenInputs, Submit } from '../../ui/buttons.tsx'
import { SelectControl } from '../../ui/controls.tsx'
import { Field, FieldPair } from '../../ui/form.tsx'
import { Note } from '../../ui/page.tsx'
import { tableRows, workbookRow } from '../bounds.ts'
import { csrfInput } from '../pages.tsx'
import type { RequestContext } from '../request-context.ts'
import { jobHref } from '../routes.ts'
import { say } from '../sentences.ts'
import { type NoTable, noTables, type TableWish } from '../tables.ts'

/** The query parameter that says why the file could not be read from where it was told to. */
export const unreadName = 'unread'

/** What the form says; nothing that makes no sense. */
export function whereOf(form: URLSearchParams): Pick<TableWish, 'sheet' | 'heading'> {
  const heading = form.get('heading') ?? ''
  return { sheet: form.get('sheet'), heading: /^[1-9]\d{0,6}$/.test(heading) ? Number(heading) : null }
}

interface Props {
  readonly context: RequestContext
  readonly job: Job
  readonly wrong: string | null
}

export function ReadFrom({ context, job, wrong }: Props) {
  const { site } = context
  const { place } = job.what
  if (place === undefined || !job.kept) return null
  const { sheets, sheet } = place
  const why = noTables.find(name => name === wrong)
  return (
    <section className="stack" aria-label={say(site, 'readFrom')}>
      <Note>{told(context, place)}</Note>
      <details open={why !== undefined}>
        <summary>{say(site, sheets.length > 1 ? 'readElsewhere' : 'readOtherRow')}</summary>
        <form method="post" action={jobHref(job.id, { from: 'file' })} className="stack">
          <HiddenInputs inputs={[csrfInput(context)]} />
          <FieldPair>
            {sheets.length > 1 && (
              <Field id="sheet" label={say(site, 'readSheet')}>
                {aid => (
                  <SelectControl
                    aid={aid}
                    name="sheet"
                    value={sheet ?? ''}
                    options={sheets.map(({ name, hidden }) => ({
                      value: name,
                      label: hidden ? say(site, 'sheetHidden', { sheet: name }) : name,
                    }))}
                    empty={null}
                  />
                )}
              </Field>
            )}
            <Field
              id="heading"
              label={say(site, 'readHeading')}
              hint={say(site, 'readHeadingHint')}
              error={faultOf(context, why)}
            >
              {aid => <input {...aid} className="in" type="number" name="heading" min={1} max={workbookRow} />}
            </Field>
          </FieldPair>
          <div className="acts">
            <Submit name="do" value="read">
              {say(site, 'readAgain')}
            </Submit>
          </div>
        </form>
      </details>
    </section>
  )
}

const faultOf = ({ site }: RequestContext, why: NoTable | undefined): string | null =>
  why === undefined ? null : say(site, why, { rows: site.reader.format.count(tableRows) })

/** In sentences: which sheet, which row, what was left out, and what was taken that the sheet does not show. */
function told({ site }: RequestContext, { sheet, sheets, heading, above, hidden, merged }: TablePlace): string {
  const others = sheets.filter(({ name }) => name !== sheet)
  const names = others.map(one => (one.hidden ? say(site, 'sheetHidden', { sheet: one.name }) : one.name))
  return [
    sheet === null ? say(site, 'readRow', { row: heading }) : say(site, 'readSheetRow', { sheet, row: heading }),
    ...(names.length > 0 ? [say(site, 'readOthers', { sheets: site.reader.format.allOf(names) })] : []),
    ...(above > 0 ? [say(site, 'readAbove', { count: above })] : []),
    ...(hidden > 0 ? [say(site, 'readHidden', { count: hidden })] : []),
    ...(merged > 0 ? [say(site, 'readMerged', { count: merged })] : []),
  ].join(' ')
}
