/** A page of prose. */
import { PageHead } from '../../../ui/page.tsx'
import { Prose } from '../../../ui/prose.tsx'
import type { TextView } from './view-model.ts'

export function TextScreen({ view }: { readonly view: TextView }) {
  return (
    <>
      <PageHead title={view.title} />
      <Prose markdown={view.markdown} />
    </>
  )
}
