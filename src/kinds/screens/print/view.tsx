/** One record as it stands on paper. */
import { PrintFoot, PrintPart } from '../../../ui/print.tsx'
import { DescriptionList } from '../../../ui/record.tsx'
import { Rich } from '../../../ui/rich.tsx'
import { ChildTable } from '../child-table.tsx'
import { Value } from '../value.tsx'
import type { PieceView, PrintView } from './view-model.ts'

export function PrintScreen({ view }: { readonly view: PrintView }) {
  return (
    <>
      <h1>{view.title}</h1>
      {view.parts.map(({ key, title, text, pieces }) => (
        <PrintPart key={key} title={title} text={text}>
          {pieces.map((piece, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name
            <Piece key={at} piece={piece} object={view.title} />
          ))}
        </PrintPart>
      ))}
      <PrintFoot text={view.footer} />
    </>
  )
}

function Piece({ piece, object }: { readonly piece: PieceView; readonly object: string }) {
  if (piece.kind === 'facts')
    return (
      <DescriptionList
        facts={piece.facts.map(({ label, value }) => ({
          label,
          value: value.rich ? <Rich parts={value.rich} /> : <Value value={value} />,
          long: value.look === 'long' && value.text !== '',
        }))}
      />
    )
  return <ChildTable list={piece.rows} object={object} />
}
