/** Takes the server's form over, with the same components and what it was rendered from. */
import { type Catalogue, cataloguesBy } from '../../../expression/catalogue.ts'
import { FormPage } from '../../../kinds/screens/form/page.tsx'
import type { FormView } from '../../../kinds/screens/form/view-model.ts'
import { type IslandData, prefixOf } from '../../../ui/island-data.ts'
import { ReaderProvider, readerOf } from '../../../ui/reader.tsx'
import { takeOver } from './take-over.ts'

export async function start(island: HTMLElement): Promise<void> {
  const words = document.querySelector<HTMLLinkElement>('#words')
  if (words !== null) {
    const catalogue = (await (await fetch(words.href)).json()) as Catalogue
    cataloguesBy(() => catalogue)
  }
  const json = document.getElementById('form-data')?.textContent
  if (json == null) return
  const { reader, data } = JSON.parse(json) as IslandData<FormView>
  takeOver(
    island,
    <ReaderProvider reader={readerOf(reader)}>
      <FormPage view={data} />
    </ReaderProvider>,
    { identifierPrefix: prefixOf('form') },
  )
}
