/** A form for a new or a stored record. Complete without scripts: everything in it is a field or a submit. */
import { Conflict } from '../../../ui/conflict.tsx'
import { ErrorSummary } from '../../../ui/form.tsx'
import { Island } from '../../../ui/island.tsx'
import { PageHead } from '../../../ui/page.tsx'
import { useReader } from '../../../ui/reader.tsx'
import { Value } from '../value.tsx'
import { FormPage, faultsOf } from './page.tsx'
import type { ConflictView, FormView } from './view-model.ts'

export function FormScreen({ view }: { readonly view: FormView }) {
  if (view.conflict !== null) return <ConflictPage view={view} conflict={view.conflict} />
  return (
    <Island name="form" data={view}>
      <FormPage view={view} />
    </Island>
  )
}

/** Both versions side by side; what was typed travels along in the choices' own form. */
function ConflictPage({ view, conflict }: { readonly view: FormView; readonly conflict: ConflictView }) {
  const { words } = useReader()
  return (
    <>
      <ErrorSummary faults={faultsOf(view.errors)} />
      <PageHead title={words(conflict.who === null ? 'conflictAlone' : 'conflictTitle')} facts={view.title} />
      <Conflict
        {...conflict}
        app={words('conflictApp')}
        fields={conflict.differences.map(({ yours, theirs, ...rest }) => ({
          ...rest,
          yours: yours.text === '' ? null : <Value value={yours} />,
          theirs: theirs.text === '' ? null : <Value value={theirs} />,
        }))}
      />
    </>
  )
}
