/** The picker of a cell: the combobox of forms, in place of what the server gives for want of a script. */
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { Combobox } from '../../../ui/combobox.tsx'
import type { PickControlProps } from '../../../ui/controls.tsx'
import { type IslandData, prefixOf } from '../../../ui/island-data.ts'
import { ReaderProvider, readerOf } from '../../../ui/reader.tsx'

/** It stands there when this is done, so that it can be turned to. */
export function start(island: HTMLElement): Root | null {
  const json = island.parentElement?.querySelector('#cell-data')?.textContent
  if (json == null) return null
  const { reader, data } = JSON.parse(json) as IslandData<PickControlProps>
  const root = createRoot(island, { identifierPrefix: prefixOf('cell') })
  flushSync(() =>
    root.render(
      <ReaderProvider reader={readerOf(reader)}>
        <Combobox {...data} />
      </ReaderProvider>,
    ),
  )
  return root
}
