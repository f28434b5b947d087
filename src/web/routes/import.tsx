/** A file of records is brought in: chosen here, told apart and tried on the page of its job. Who may not import finds nothing here. */
import { mayImport } from '../../run/many/import.ts'
import { importFields } from '../../run/many/import-fields.ts'
import { Submit } from '../../ui/buttons.tsx'
import { Field } from '../../ui/form.tsx'
import { PageHead, Sheet } from '../../ui/page.tsx'
import { tableBytes, tableRows } from '../bounds.ts'
import { csrfInput, notFound, pageOf } from '../pages.tsx'
import { listOf } from '../records.ts'
import type { RequestContext } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { importHref, jobHref } from '../routes.ts'
import { thingsOf } from '../screens/things.ts'
import { say } from '../sentences.ts'
import { capital } from '../site.ts'
import type { NoTable } from '../tables.ts'
import { draftImport } from './import-file.ts'

const entityOf = ({ query, runtime, request }: RequestContext): string | null => {
  const entity = query.get('entity') ?? ''
  return mayImport(runtime, request, entity) ? entity : null
}

export function importPage(context: RequestContext): Promise<HttpResponse> {
  const entity = entityOf(context)
  return entity === null ? notFound(context) : page(context, entity, null)
}

function page(context: RequestContext, entity: string, wrong: NoTable | 'fileMissing' | null): Promise<HttpResponse> {
  const { site, runtime, request } = context
  const things = thingsOf(site, entity)
  const title = say(site, 'importTitle', { things })
  const place = site.routes.places.get(entity)
  const back = place === undefined ? '/' : listOf(context, place)
  const text = wrong === null ? null : say(site, wrong, { rows: site.reader.format.count(tableRows) })
  const fields = importFields(runtime, request, entity).map(({ label }) => label)
  return pageOf(context, {
    title: [title],
    crumbs: [
      { label: capital(things), href: back },
      { label: title, href: null },
    ],
    faults: text === null ? [] : [{ control: 'file', text }],
    content: (
      <>
        <PageHead title={title} first={text === null} />
        <Sheet title={say(site, 'importChoose')}>
          <form method="post" action={importHref(entity)} encType="multipart/form-data" className="stack">
            <input type="hidden" name="_csrf" value={csrfInput(context).value} />
            <Field
              id="file"
              label={say(site, 'importFile')}
              hint={say(site, 'importHint', {
                rows: site.reader.format.count(tableRows),
                bytes: site.reader.format.bytes(tableBytes),
                fields: site.reader.format.allOf(fields),
              })}
              error={text}
            >
              {aid => <input {...aid} className="in" type="file" name="file" accept=".csv,.xlsx,text/csv" required />}
            </Field>
            <div className="acts">
              <Submit tone="primary">{say(site, 'importNext')}</Submit>
              <a className="btn" href={back}>
                {site.reader.words('cancel')}
              </a>
            </div>
          </form>
        </Sheet>
      </>
    ),
  })
}

/** Nothing is written but the file's rows, beside the records: they wait for their columns to be told apart. */
export async function importFile(context: RequestContext): Promise<HttpResponse> {
  const entity = entityOf(context)
  if (entity === null) return notFound(context)
  if (context.table === null) return page(context, entity, 'fileMissing')
  const draft = await draftImport(context, entity, context.table)
  return typeof draft === 'string' ? page(context, entity, draft) : seeOther(jobHref(draft.job))
}
