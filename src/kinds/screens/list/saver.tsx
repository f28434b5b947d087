/** What a list shows, saved under a name; views that were saved, and what the list opens with. Plain forms, there on request. */
import { HiddenInputs, LinkButton, Submit } from '../../../ui/buttons.tsx'
import { SelectControl, TextControl } from '../../../ui/controls.tsx'
import { Field } from '../../../ui/form.tsx'
import { Sheet } from '../../../ui/page.tsx'
import { useReader } from '../../../ui/reader.tsx'
import type { SaverView } from '../table-view.ts'

type Form = NonNullable<SaverView['form']>

export function ViewSaver({ form, close }: { readonly form: Form; readonly close: string }) {
  const { words } = useReader()
  return (
    <Sheet title={words('views')}>
      <div className="stack" data-close={close}>
        <form method="post" action={form.action} className="brow">
          <HiddenInputs inputs={form.hidden} />
          <Field id="view-name" label={words('viewName')} width="medium">
            {aid => <TextControl aid={aid} name="name" value={form.name} maxLength={60} required first />}
          </Field>
          <ShareWith id="view-role" form={form} shared="" />
          <Submit name="do" value="save" tone="primary">
            {words('viewSave')}
          </Submit>
        </form>
        {form.saved.map(view => (
          <form key={view.id} method="post" action={form.action}>
            <HiddenInputs inputs={[...form.hidden, { name: 'id', value: view.id }]} />
            <fieldset className="brow">
              <legend className={view.own ? 'vh' : undefined}>{view.name}</legend>
              {view.own && (
                <>
                  <Field id={`view-${view.id}-name`} label={words('viewSaved')} width="medium">
                    {aid => <TextControl aid={aid} name="name" value={view.name} maxLength={60} required />}
                  </Field>
                  <ShareWith id={`view-${view.id}-role`} form={form} shared={view.role} />
                  <Submit name="do" value="change" object={view.name}>
                    {words('save')}
                  </Submit>
                </>
              )}
              <Submit name="do" value="remove" tone="quiet" object={view.name} unchecked>
                {words('remove')}
              </Submit>
            </fieldset>
          </form>
        ))}
        {form.tabs.length > 1 && (
          <form method="post" action={form.action} className="brow">
            <HiddenInputs inputs={form.hidden} />
            <Field id="view-first" label={words('viewFirst')}>
              {aid => <SelectControl aid={aid} name="view" value={form.first} options={form.tabs} empty={null} />}
            </Field>
            <Submit name="do" value="first">
              {words('apply')}
            </Submit>
          </form>
        )}
        <div className="acts">
          <LinkButton href={close}>{words('close')}</LinkButton>
        </div>
      </div>
    </Sheet>
  )
}

function ShareWith({ id, form, shared }: { readonly id: string; readonly form: Form; readonly shared: string }) {
  const { words } = useReader()
  if (form.roles.length === 0) return shared === '' ? null : <input type="hidden" name="role" value={shared} />
  return (
    <Field id={id} label={words('viewShare')}>
      {aid => <SelectControl aid={aid} name="role" value={shared} options={form.roles} empty={words('viewMine')} />}
    </Field>
  )
}
