/** The form itself, as the server renders it and as the browser takes it over. */
import { UploadContext } from '../../../ui/file-control.tsx'
import { ErrorSummary, FormGrid, FormSection, RecordForm, type RuleStatus, Rules } from '../../../ui/form.tsx'
import { Note, PageHead } from '../../../ui/page.tsx'
import { useReader } from '../../../ui/reader.tsx'
import { AssumedBoxes } from '../assumed.tsx'
import { placedErrorText } from '../value.tsx'
import type { ErrorView, FieldView, Mark } from '../view-model.ts'
import { Conditional } from './conditional.tsx'
import { FormField } from './control.tsx'
import { DraftOffer, useDraft } from './draft.tsx'
import { formHasFiles } from './names.ts'
import { QuickProvider } from './quick-dialog.tsx'
import { FormRows } from './rows.tsx'
import { sendFile } from './send-file.tsx'
import { WizardSteps } from './steps.tsx'
import { type Live, useLive } from './use-live.tsx'
import type { FormView, PartView } from './view-model.ts'

export function FormPage({ view }: { readonly view: FormView }) {
  const { words } = useReader()
  const live = useLive(view)
  const keeping = useDraft(view, live)
  const token = view.hidden.find(({ name }) => name === '_csrf')?.value ?? ''
  return (
    <QuickProvider>
      <ErrorSummary key={live.tries} faults={faultsOf(live.summary)} />
      {view.wizard !== null && <WizardSteps {...view.wizard} />}
      <PageHead
        title={view.title}
        meaning={view.wizard?.meaning ?? view.meaning}
        first={view.wizard?.back != null && view.errors.length === 0}
      />
      <FormGrid
        aside={
          view.rules.length === 0 ? null : (
            <Rules
              rules={view.rules.map(({ name, message, mark }) => ({
                text: message,
                status: statusNow(live.ruleStatus(name), mark, view.errors),
                line: mark,
              }))}
            />
          )
        }
      >
        {view.note !== null && <Note>{view.note}</Note>}
        {view.draft?.waiting != null && <DraftOffer {...view.draft.waiting} />}
        <RecordForm
          action={view.action}
          hidden={view.hidden}
          files={formHasFiles(view)}
          submit={{ label: view.submit }}
          others={[
            ...(view.confirm === null ? [] : [view.confirm]),
            ...(view.wizard?.back == null ? [] : [view.wizard.back]),
            ...(view.draft === null ? [] : [{ ...view.draft.keep, value: 'draft' }]),
          ]}
          status={keeping.status}
          cancel={{ label: words('cancel'), href: view.cancel }}
          unsaved={view.errors.length > 0 || view.note !== null}
          events={keeping.events}
          formRef={live.formRef}
        >
          {view.trap !== null && (
            <p className="vh">
              <label htmlFor={view.trap.name}>{view.trap.label}</label>
              {/* What fills in forms for people obeys these, and not `off`. */}
              <input
                id={view.trap.name}
                name={view.trap.name}
                tabIndex={-1}
                autoComplete="new-password"
                data-1p-ignore
                data-bwignore
                data-lpignore="true"
                data-form-type="other"
              />
            </p>
          )}
          <UploadContext value={view.draft === null ? null : sendFile(view.action, token)}>
            {view.sections.map(({ title, meaning, parts }) => (
              <FormSection key={title} {...(title === null ? {} : { title })}>
                {meaning !== null && <p className="hint">{meaning}</p>}
                {parts
                  .flatMap(key => view.parts.find(part => keyOf(part) === key) ?? [])
                  .map(part =>
                    part.kind === 'field' ? (
                      <Conditional key={part.field.name} now={live.controlOf(part.field)}>
                        <FormField field={asked(live, part.field)} errors={live.errorsAt(part.field)} />
                      </Conditional>
                    ) : (
                      <FormRows key={part.rows.key} rows={part.rows} live={live} />
                    ),
                  )}
              </FormSection>
            ))}
          </UploadContext>
        </RecordForm>
      </FormGrid>
      <AssumedBoxes assumed={view.assumed} />
    </QuickProvider>
  )
}

const keyOf = (part: PartView): string => (part.kind === 'field' ? part.field.key : part.rows.key)

/** Whether it is marked optional follows the condition of `required when`. */
function asked(live: Live, field: FieldView): FieldView {
  const now = live.controlOf(field)
  return { ...live.shown(field), ...(now === null ? {} : { required: now.required }) }
}

/** What only the server checks is not kept where it has just refused by that line. */
const statusNow = (status: RuleStatus['status'], mark: Mark | null, errors: readonly ErrorView[]) =>
  status === 'open' && mark !== null && errors.some(one => one.mark?.file === mark.file && one.mark.line === mark.line)
    ? 'broken'
    : status

export const faultsOf = (errors: readonly ErrorView[]) =>
  errors.map(error => ({
    control: null,
    href: error.href,
    text: placedErrorText(error),
    warning: error.warning === true,
    line: error.mark,
    of: error.of ?? null,
  }))
