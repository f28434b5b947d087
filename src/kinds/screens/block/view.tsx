/** A React component of the document as a whole screen; where there are more records than it is given, the way to them. */
import { Block } from '../../../ui/block.tsx'
import { Pager } from '../../../ui/list.tsx'
import { PageHead } from '../../../ui/page.tsx'
import { AssumedBoxes } from '../assumed.tsx'
import type { BlockScreenView } from './view-model.ts'

export function BlockScreen({ view }: { readonly view: BlockScreenView }) {
  return (
    <>
      <PageHead title={view.title} meaning={view.meaning} />
      <Block block={view.block} />
      {(view.next !== null || view.previous !== null) && <Pager range="" previous={view.previous} next={view.next} />}
      <AssumedBoxes assumed={view.assumed} />
    </>
  )
}
