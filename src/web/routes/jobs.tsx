/** The page of a job, for whoever started it: columns told apart, every cell judged, progress, and what became of each row. */
import type { ReactNode } from 'react'
import { type FileCell, shownOf, textOf } from '../../document/file-cells.ts'
import { exampleDay } from '../../kinds/fields/dates.ts'
import { writtenLanguages } from '../../run/many/import.ts'
import { bringsRows, importFields, importKeys } from '../../run/many/import-fields.ts'
import {
  applyJob,
  checkImport,
  type Job,
  type JobRow,
  type JobWhat,
  lookAtJobs,
  mayApply,
  mayStop,
  mayUndo,
  type RowProblem,
  type RowState,
  readJob,
  readJobRows,
  stopJob,
  undoJob,
} from '../../run/many/jobs.ts'
import { workJobs } from '../../run/many/work-jobs.ts'
import { HiddenInputs, LinkButton, Submit } from '../../ui/buttons.tsx'
import { SelectControl } from '../../ui/controls.tsx'
import { Field } from '../../ui/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Views } from '../../ui/list.tsx'
import { Note, PageHead, Sheet } from '../../ui/page.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { jobRows, rowsAtOnce, rowsWithin } from '../bounds.ts'
import { countsFor } from '../counts.ts'
import { csrfInput, notFound, pageOf } from '../pages.tsx'
import { listOf } from '../records.ts'
import { type RequestContext, readingAtOnce } from '../request-context.ts'
import { type HttpResponse, seeOther } from '../response.ts'
import { importHref, jobHref } from '../routes.ts'
import { thingsOf } from '../screens/things.ts'
import { say } from '../sentences.ts'
import { exportName } from '../sheets.ts'
import { safeNext } from '../sign-in/next.ts'
import { capital, type Site } from '../site.ts'
import { readAgain } from './import-file.ts'
import { jobStates, jobTitle } from './job-title.ts'
import { ReadFrom, unreadName, whereOf } from './read-from.tsx'
import { formatOf, refusedRows, saidOf, toCorrect } from './refused-rows.ts'
import { postedForm } from './sign-in.tsx'

/** At most so many columns of a file stand on the page beside those with something wrong in them. */
const columnsShown = 8
/** Seconds after which the page of a job looks again how far it is, where no script does. */
const lookAgain = '5'

export async function jobPage(context: RequestContext): Promise<HttpResponse> {
  const { runtime, request, query, site } = context
  const job = await readJob(runtime, request, query.get('id') ?? '')
  if (job === null) return notFound(context)
  if (query.has(exportName)) return refusedRows(context, job)
  const tabs = tabsOf(job)
  const shown = tabs.find(({ name }) => name === query.get('rows')) ?? tabs.find(({ count }) => count > 0) ?? tabs[0]!
  const after = /^\d{1,7}$/.test(query.get('after') ?? '') ? Number(query.get('after')) : 0
  if (job.unseen) await lookAtJobs(runtime, request, job.id)
  const reading = readingAtOnce(context)
  const [found] = await Promise.all([
    readJobRows(reading.runtime, job.id, shown.states, after, jobRows + 1),
    countsFor(reading),
  ])
  const rows = found.slice(0, jobRows)
  const title = jobTitle(context, job)
  const goesOn = isUnderWay(job)
  const place = site.routes.places.get(job.entity)
  const back = safeNext(job.what.back ?? (place === undefined ? '/' : listOf(context, place)))
  return pageOf(context, {
    // Its pages come after each other at one address: the title says where one is.
    title: [say(site, jobStates[job.state]), title],
    crumbs: [
      { label: capital(thingsOf(site, job.entity)), href: back },
      { label: title, href: null },
    ],
    scripts: goesOn ? ['job.js'] : [],
    content: (
      <>
        <PageHead title={title} first={!query.has('rows')} />
        {goesOn && (
          <noscript>
            <meta httpEquiv="refresh" content={lookAgain} />
          </noscript>
        )}
        <div className="stack">
          {job.state === 'draft' ? (
            <>
              <ReadFrom context={context} job={job} wrong={query.get(unreadName)} />
              <Columns context={context} job={job} sample={rows[0] ?? null} />
            </>
          ) : (
            <>
              <Status context={context} job={job} back={back} />
              {job.state === 'checked' && job.kind === 'import' && (
                <>
                  <Columns context={context} job={job} sample={null} />
                  <ReadFrom context={context} job={job} wrong={query.get(unreadName)} />
                </>
              )}
              {!goesOn && (
                <section aria-label={say(site, 'jobRows')}>
                  <Views
                    views={tabs.map(({ name, count }) => ({
                      label: labelOf(context, job, name),
                      count: site.reader.format.count(count),
                      href: jobHref(job.id, { rows: name }),
                      current: name === shown.name,
                    }))}
                  />
                  <Rows context={context} job={job} rows={rows} label={labelOf(context, job, shown.name)} />
                  {found.length > jobRows && (
                    <p>
                      <a href={jobHref(job.id, { rows: shown.name, after: String(rows.at(-1)!.number) })} rel="next">
                        {site.reader.words('next')}
                      </a>
                    </p>
                  )}
                </section>
              )}
            </>
          )}
        </div>
      </>
    ),
  })
}

interface Tab {
  readonly name: 'rowsWrong' | 'rowsRight' | 'rowsSame' | 'rowsDone' | 'rowsRefused' | 'rowsLeft'
  readonly states: readonly RowState[]
  readonly count: number
}

/** What needs somebody's eye comes first. */
function tabsOf({ state, counts }: Job): readonly Tab[] {
  if (state === 'draft') return [{ name: 'rowsLeft', states: ['new'], count: counts.new }]
  const tab = (name: Tab['name'], one: RowState): Tab => ({ name, states: [one], count: counts[one] })
  const tried = [tab('rowsWrong', 'wrong'), tab('rowsRight', 'right'), tab('rowsSame', 'same')]
  if (state === 'checked') return tried
  const toDo: Tab = { name: 'rowsLeft', states: ['new', 'right'], count: counts.new + counts.right }
  const left = [toDo, tab('rowsWrong', 'wrong')].filter(({ count }) => count > 0)
  return [tab('rowsRefused', 'refused'), tab('rowsDone', 'done'), ...left]
}

/** A row of a file is right or wrong; with a record, what is wanted is possible or not. */
function labelOf({ site }: RequestContext, { kind }: Job, name: Tab['name']): string {
  if (kind !== 'import' && name === 'rowsRight') return say(site, 'rowsPossible')
  if (kind !== 'import' && name === 'rowsWrong') return say(site, 'rowsNotPossible')
  return say(site, name)
}

interface Part {
  readonly context: RequestContext
  readonly job: Job
}

const haltedFor = { sender: 'jobHaltedSender', import: 'jobHaltedImport', lost: 'jobHaltedLost' } as const

type Counted = 'jobRight' | 'jobSame' | 'jobWrong' | 'jobEachDone' | 'jobEachRefused' | 'jobEachLeft'

/** The first, and of the others what there is. */
const counted = (site: Site, counts: Partial<Record<Counted, number>>): string =>
  Object.entries(counts)
    .flatMap(([key, count], at) => (at === 0 || count > 0 ? [say(site, key as Counted, { count })] : []))
    .join(' ')

const isUnderWay = ({ state }: Job): boolean => state === 'checking' || state === 'applying'

/** What came of it so far. */
function summaryOf(site: Site, { kind, counts, state }: Job, left: number): string {
  const isTrial = state === 'checking' || state === 'checked'
  const { right, same, wrong, done, refused } = counts
  if (kind === 'import')
    return isTrial ? say(site, 'jobTried', { right, same, wrong }) : say(site, 'jobWritten', { done, refused, left })
  return counted(
    site,
    isTrial
      ? { jobRight: right, jobSame: same, jobWrong: wrong }
      : { jobEachDone: done, jobEachRefused: refused, jobEachLeft: left, jobWrong: wrong },
  )
}

/** How far it is, in words and as a bar. */
function Status({ context, job, back }: Part & { readonly back: string }) {
  const { site } = context
  const { counts, state, total } = job
  const isTrial = state === 'checking' || state === 'checked'
  const all = isTrial ? total : total - counts.wrong - counts.same
  const left = isTrial ? counts.new : counts.new + counts.right
  const goesOn = isUnderWay(job)
  return (
    <Sheet title={say(site, jobStates[state])}>
      <div id="job" data-under-way={goesOn ? '' : undefined} role="status">
        {goesOn && (
          <p>
            <progress max={all} value={all - left} aria-label={say(site, 'jobProgress')} />{' '}
            {say(site, 'jobProgressOf', { done: all - left, all })}
          </p>
        )}
        {job.kind !== 'import' && <p>{say(site, 'bulkChosen', { count: total })}</p>}
        <p>{summaryOf(site, job, left)}</p>
        {job.waits && <p>{say(site, 'jobWaits')}</p>}
        {goesOn && <p className="muted">{say(site, 'jobGoesOn', { place: say(site, 'notices') })}</p>}
        {state === 'stopped' && job.what.halted !== undefined && (
          <p>{say(site, haltedFor[job.what.halted], { things: thingsOf(site, job.entity) })}</p>
        )}
        {state === 'checked' && <p className="muted">{say(site, 'jobNothingYet')}</p>}
        {toCorrect(job) > 0 && <p className="muted">{say(site, job.whole ? 'jobWhole' : 'jobRefusedHint')}</p>}
      </div>
      <Choices context={context} job={job} back={back} />
    </Sheet>
  )
}

/** What can be done about it. */
function Choices({ context, job, back }: Part & { readonly back: string }) {
  const { site } = context
  const goesOn = isUnderWay(job)
  return (
    <form method="post" action={jobHref(job.id)} className="acts">
      <HiddenInputs inputs={[csrfInput(context)]} />
      {goesOn && <LinkButton href={jobHref(job.id)}>{say(site, 'jobLook')}</LinkButton>}
      {mayStop(job) && (
        <Submit name="do" value="stop">
          {say(site, 'jobStop')}
        </Submit>
      )}
      {mayApply(job) && (
        <Submit name="do" value="apply" tone="primary">
          {applyLabel(site, job)}
        </Submit>
      )}
      {mayUndo(site.app, job, context.request.now) && (
        <Submit name="do" value="undo" icon="undo" letter="z">
          {say(site, 'undoAll', { count: job.counts.done })}
        </Submit>
      )}
      {toCorrect(job) > 0 && (
        <LinkButton href={jobHref(job.id, { [exportName]: formatOf(job) })} icon="download">
          {job.whole ? say(site, 'jobWholeFile') : say(site, 'jobRefused', { count: toCorrect(job) })}
        </LinkButton>
      )}
      {!goesOn && job.kind === 'import' && (
        <LinkButton href={importHref(job.entity)}>{say(site, 'importAnother')}</LinkButton>
      )}
      {!goesOn && <LinkButton href={back}>{say(site, 'jobBack')}</LinkButton>}
    </form>
  )
}

function applyLabel(site: Site, { state, kind, counts }: Job): string {
  if (state === 'checked') return say(site, kind === 'import' ? 'jobApply' : 'jobDo', { count: counts.right })
  return say(site, state === 'done' ? 'jobAgain' : 'jobGoOn')
}

/** Which column goes where; said again after a trial, it is tried again. */
function Columns({ context, job, sample }: Part & { readonly sample: JobRow | null }) {
  const { site, runtime, request } = context
  const { what } = job
  const fields = importFields(runtime, request, job.entity)
  const options = fields.map(({ key, label }) => ({ value: key, label }))
  const keys = importKeys(runtime, request, job.entity).map(({ name, labels }) => ({
    value: name,
    label: site.reader.format.allOf(labels),
  }))
  const locale = site.reader.locale
  const languages = writtenLanguages(locale).map(tag => ({
    value: tag,
    label: `${new Intl.NumberFormat(tag, { minimumFractionDigits: 2 }).format(1234.5)}; ${exampleDay(tag)}`,
  }))
  const distinct = languages.filter(({ label }, at) => languages.findIndex(one => one.label === label) === at)
  const mapping = what.mapping ?? []
  const isBrought = (list: string | null) =>
    list === null || mapping.some(key => fields.some(field => field.key === key && field.list === list))
  const missing = fields.flatMap(({ key, label, list, isNeeded }) =>
    isNeeded && isBrought(list) && !mapping.includes(key) ? [label] : [],
  )
  // Columns of a file may have the same name, or none.
  const named = (what.columns ?? []).map((column, at) => ({ id: `c${at}`, column, at }))
  const form = (
    <form method="post" action={jobHref(job.id)} className="stack">
      <HiddenInputs inputs={[csrfInput(context)]} />
      <p className="muted">{say(site, 'mapHint', { file: what.file ?? '' })}</p>
      {missing.length > 0 && (
        <Note tone="wait" icon="alert">
          {say(site, 'mapMissing', { fields: site.reader.format.allOf(missing) })}
        </Note>
      )}
      {named.map(({ id, column, at }) => {
        const example = sample?.cells?.[at]
        return (
          <Field
            key={id}
            id={id}
            label={column === '' ? say(site, 'columnNumber', { number: at + 1 }) : column}
            hint={
              example === undefined || textOf(example) === ''
                ? null
                : say(site, 'forExample', { text: shownCell(context, example).slice(0, 80) })
            }
            width="medium"
          >
            {aid => (
              <SelectControl
                aid={aid}
                name={id}
                value={what.mapping?.[at] ?? ''}
                options={options}
                empty={say(site, 'leaveOut')}
              />
            )}
          </Field>
        )
      })}
      <Field
        id="key"
        label={say(site, 'importKey')}
        hint={say(site, keys.length > 0 ? 'importKeyHint' : 'importNoKeyHint')}
        width="medium"
      >
        {aid => (
          <SelectControl aid={aid} name="key" value={what.key ?? ''} options={keys} empty={say(site, 'importNoKey')} />
        )}
      </Field>
      <Field id="written" label={say(site, 'importWritten')} width="medium">
        {aid => (
          <SelectControl aid={aid} name="written" value={what.written ?? locale} options={distinct} empty={null} />
        )}
      </Field>
      <div className="acts">
        <Submit name="do" value="check" tone={job.state === 'draft' ? 'primary' : 'plain'}>
          {say(site, job.state === 'draft' ? 'importCheck' : 'importCheckAgain')}
        </Submit>
        {job.state === 'draft' && <LinkButton href={importHref(job.entity)}>{say(site, 'importAnother')}</LinkButton>}
      </div>
    </form>
  )
  if (job.state === 'draft') return <Sheet title={say(site, 'mapTitle')}>{form}</Sheet>
  return (
    <details open={missing.length > 0}>
      <summary>{say(site, 'mapChange')}</summary>
      {form}
    </details>
  )
}

/** Each row with its cells, and under each cell what is wrong with it, in the words of the catalogue. */
function Rows({ context, job, rows, label }: Part & { readonly rows: readonly JobRow[]; readonly label: string }) {
  const { site } = context
  if (rows.length === 0) return <Note>{say(site, 'rowsNone')}</Note>
  const { columns = [], mapping = [] } = job.what
  const isFile = job.kind === 'import'
  const hasCells = rows.some(({ cells }) => cells !== null)
  const wrong = new Set(rows.flatMap(row => row.problems.map(({ field }) => field)))
  const shown = !hasCells
    ? []
    : columns.flatMap((column, at) => (at < columnsShown || wrong.has(mapping[at] ?? '') ? [{ column, at }] : []))
  const own = new Set(shown.flatMap(({ at }) => mapping[at] ?? []))
  return (
    <div className="sheet">
      <PlainTable
        roomy
        label={label}
        columns={[
          {
            key: 'row',
            label: (isFile ? undefined : site.app.entities.get(job.entity)?.name) ?? say(site, 'rowNumber'),
          },
          { key: 'verdict', label: say(site, 'rowVerdict') },
          ...shown.map(({ column, at }) => ({ key: String(at), label: column })),
        ]}
        rows={rows.map(row => ({
          id: String(row.number),
          cells: [
            isFile ? row.number : (row.title ?? row.number),
            <>
              {verdictOf(context, row, isFile && !hasCells)}
              <Faults
                faults={row.problems.filter(({ field }) => field === null || !own.has(field))}
                mapping={mapping}
                row={row.number}
              />
            </>,
            ...shown.map(({ at }) => {
              const cell = row.cells?.[at]
              const faults = row.problems.filter(({ field }) => field !== null && field === mapping[at])
              return (
                <>
                  {cell === undefined ? '' : shownCell(context, cell).slice(0, 200)}
                  <Faults faults={faults} mapping={mapping} row={row.number} />
                </>
              )
            }),
          ],
        }))}
      />
    </div>
  )
}

/** As the sheet shows it; what it leaves to the language of its reader, as they write it. */
function shownCell({ site }: RequestContext, cell: FileCell): string {
  if (typeof cell === 'string' || cell.shown !== undefined || cell.less !== undefined) return shownOf(cell)
  const { format } = site.reader
  if (/^\d{4}-\d\d-\d\d$/.test(cell.v)) return format.date(cell.v)
  if (/^-?\d+\.\d+$/.test(cell.v)) return format.decimal(cell.v)
  return cell.v
}

/** Named where no cell of the row names its record. */
function verdictOf({ site }: RequestContext, { state, did, title }: JobRow, isNamed: boolean): string {
  const creates = did === 'create'
  const words = {
    new: 'rowUntried',
    right: creates ? 'rowCreates' : 'rowChanges',
    same: 'rowSame',
    done: creates ? 'rowCreated' : did === 'same' ? 'rowSame' : 'rowChanged',
    wrong: 'rowRefused',
    refused: 'rowRefused',
  } as const satisfies Record<RowState, string>
  const said = say(site, words[state])
  return !isNamed || title === null || title === '' ? said : `${said}: ${title}`
}

/** `mapping`: of a file, in which the cells have names. */
function Faults({
  faults,
  mapping,
  row,
}: {
  readonly faults: readonly RowProblem[]
  readonly mapping: readonly (string | null)[]
  readonly row: number
}): ReactNode {
  return faults.map(fault => (
    <span className="err" key={`${fault.code} ${fault.message}`}>
      <Icon name="alert" />
      <span>{saidOf(fault, mapping, row)}</span>
    </span>
  ))
}

export async function moveJob(context: RequestContext): Promise<HttpResponse> {
  const { runtime, request, query } = context
  const job = await readJob(runtime, request, query.get('id') ?? '')
  if (job === null) return notFound(context)
  const form = postedForm(context)
  switch (form.get('do')) {
    case 'read': {
      if (job.kind !== 'import') break
      const again = await readAgain(context, job, whereOf(form))
      return seeOther(typeof again === 'string' ? jobHref(job.id, { [unreadName]: again }) : jobHref(again.job))
    }
    case 'check':
      if (job.kind === 'import') await checkImport(runtime, job, told(context, job, form))
      break
    case 'apply':
      await applyJob(runtime, job)
      break
    case 'stop':
      await stopJob(runtime, job)
      return seeOther(jobHref(job.id))
    case 'undo':
      return mayUndo(context.site.app, job, request.now)
        ? workOn(context, await undoJob(runtime, request, job))
        : seeOther(jobHref(job.id))
  }
  return workOn(context, job.id)
}

/** Begins with it, and leads to its page. */
export async function workOn(context: RequestContext, job: string): Promise<HttpResponse> {
  await beginJob(context, job)
  context.web.options.wake?.()
  return seeOther(jobHref(job))
}

/** The first rows at once, so that who has few of them sees at once what became of them. */
export async function beginJob({ runtime, request, web: { options } }: RequestContext, job: string): Promise<void> {
  const { now, id, locale, newId } = request
  const until = options.clock().getTime() + rowsWithin
  const awaited = { job, isLate: () => options.clock().getTime() > until }
  await workJobs(runtime, { now, id, locale, newId }, { worker: `request ${id}`, limit: rowsAtOnce, awaited })
}

/** What the form says of the columns; a field can be filled by one of them only, and a key must be one of them. */
function told({ runtime, request, site }: RequestContext, job: Job, form: URLSearchParams): JobWhat {
  const fields = new Set(importFields(runtime, request, job.entity).map(({ key }) => key))
  const used = new Set<string>()
  const mapping = (job.what.columns ?? []).map((_, at) => {
    const key = form.get(`c${at}`) ?? ''
    if (!fields.has(key) || used.has(key)) return null
    used.add(key)
    return key
  })
  const keys = importKeys(runtime, request, job.entity)
  const key = keys.find(({ name, fields }) => name === form.get('key') && fields.every(field => used.has(field)))
  const written = form.get('written') ?? ''
  return {
    ...job.what,
    mapping,
    rows: bringsRows(site.app, job.entity, mapping),
    key: key?.name ?? null,
    written: writtenLanguages(site.reader.locale).includes(written) ? written : site.reader.locale,
  }
}
