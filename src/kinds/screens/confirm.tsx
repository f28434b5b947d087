/** The page that asks before a step or a deletion: whether it is meant, and for what the step needs to know. */
import { LinkButton, PostButton, wayOut } from '../../ui/buttons.tsx'
import { ErrorSummary, FormSection, RecordForm } from '../../ui/form.tsx'
import { PageHead, Stack } from '../../ui/page.tsx'
import { useReader } from '../../ui/reader.tsx'
import { DescriptionList } from '../../ui/record.tsx'
import { AssumedBoxes } from './assumed.tsx'
import { FormField } from './form/control.tsx'
import { hasFiles } from './form/names.ts'
import { faultsOf } from './form/page.tsx'
import { Value } from './value.tsx'
import type { ConfirmView } from './view-model.ts'

export function ConfirmScreen({ view }: { readonly view: ConfirmView }) {
  const reader = useReader()
  const { action, errors } = view
  const leave = wayOut(reader, action.label)
  const asks = action.open && view.fields.length > 0
  const edit = view.edit !== null && (
    <LinkButton href={view.edit.href} icon="pencil">
      {view.edit.label}
    </LinkButton>
  )
  return (
    <>
      <ErrorSummary faults={faultsOf(errors)} />
      <PageHead title={view.title} />
      <Stack>
        <div className="sheet">
          <div className="body">
            {view.text.map(sentence => (
              <p key={sentence}>{sentence}</p>
            ))}
            <DescriptionList
              facts={view.facts.map(({ label, value }) => ({ label, value: <Value value={value} /> }))}
            />
            {asks ? (
              <RecordForm
                action={action.action}
                hidden={action.hidden}
                files={hasFiles(view.fields)}
                submit={{ label: action.label, danger: action.danger }}
                others={view.confirm === null ? [] : [view.confirm]}
                cancel={{ label: leave, href: view.cancel }}
                unsaved={errors.length > 0}
              >
                <FormSection>
                  {view.fields.map(field => (
                    <FormField key={field.name} field={field} errors={field.errors} />
                  ))}
                </FormSection>
              </RecordForm>
            ) : (
              <div className="acts">
                {action.open && (
                  <PostButton action={action.action} hidden={action.hidden} tone={action.danger ? 'bad' : 'primary'}>
                    {action.label}
                  </PostButton>
                )}
                {action.open && view.confirm !== null && (
                  <PostButton
                    action={action.action}
                    hidden={action.hidden}
                    name={view.confirm.name}
                    value={view.confirm.value}
                  >
                    {view.confirm.label}
                  </PostButton>
                )}
                {edit}
                <LinkButton href={view.cancel} tone="quiet">
                  {leave}
                </LinkButton>
              </div>
            )}
            {asks && edit}
          </div>
        </div>
        {view.why !== null && (
          <p className="link-more">
            <a href={view.why.href}>{view.why.label}</a>
          </p>
        )}
      </Stack>
      <AssumedBoxes assumed={view.assumed} />
    </>
  )
}
