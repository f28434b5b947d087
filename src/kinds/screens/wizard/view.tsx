/** The last page of a wizard: all answers are looked at once more, and saved. */
import { ErrorSummary, RecordForm } from '../../../ui/form.tsx'
import { Note, PageHead, Sheet, Stack } from '../../../ui/page.tsx'
import { useReader } from '../../../ui/reader.tsx'
import { faultsOf } from '../form/page.tsx'
import { WizardSteps } from '../form/steps.tsx'
import { Value } from '../value.tsx'
import type { AnswersView } from './view-model.ts'

export function AnswersScreen({ view }: { readonly view: AnswersView }) {
  const { words } = useReader()
  return (
    <>
      <ErrorSummary faults={faultsOf(view.errors)} />
      <WizardSteps {...view.wizard} />
      <PageHead title={view.title} first={view.errors.length === 0} />
      <RecordForm
        action={view.action}
        hidden={view.hidden}
        submit={{ label: view.submit }}
        others={[...(view.confirm === null ? [] : [view.confirm]), view.back]}
        cancel={{ label: words('cancel'), href: view.cancel }}
      >
        <Stack>
          {view.note !== null && <Note>{view.note}</Note>}
          {view.pages.map(({ label, href, answers }) => (
            <Sheet
              key={label}
              title={label}
              aside={
                <a href={href}>
                  {words('change')}
                  <span className="vh"> {label}</span>
                </a>
              }
            >
              <dl className="dl">
                {answers.map(({ label: asked, values }) => (
                  <div key={asked}>
                    <dt>{asked}</dt>
                    <dd>
                      {values.length === 0 ? (
                        <span className="muted">{words('empty')}</span>
                      ) : (
                        values.map((value, at) => (
                          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name
                          <div key={at}>
                            <Value value={value} />
                          </div>
                        ))
                      )}
                    </dd>
                  </div>
                ))}
              </dl>
            </Sheet>
          ))}
        </Stack>
      </RecordForm>
    </>
  )
}
