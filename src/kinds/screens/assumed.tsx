/** What the document leaves open on this screen and is served under an assumption, badged as such. */
import { Assumed } from '../../ui/provenance.tsx'
import type { ScreenView } from './view-model.ts'

export function AssumedBoxes({ assumed }: Pick<ScreenView, 'assumed'>) {
  return assumed.map(({ name, text, mark }) => (
    <Assumed key={name} line={mark}>
      {text} <code>{name}</code>
    </Assumed>
  ))
}
