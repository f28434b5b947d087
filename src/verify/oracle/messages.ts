/** Heading 7, as far as order counts there: the messages that it takes of others, and which calls keep one order. Texts, as written. */
import type { Cell } from '../../document/source.ts'
import type { Document, Subject } from '../../document/tree.ts'
import { bare, isNone, isOpen, keyOf, pieces, rowsOf, saysOf, stepKeyOf, subjectsOf } from './cells.ts'

export interface MessageTold {
  /** Its title. */
  readonly cell: Cell
  /** The end of its address. */
  readonly key: string
  readonly entity: string
  readonly foundBy: string | null
  readonly creates: boolean
  /** It changes a record that is there. */
  readonly changes: boolean
  /** The step that it takes of one. */
  readonly step: string | null
  /** Null: nobody sends it. */
  readonly proof: 'key' | 'signature' | null
  readonly once: string | null
  readonly newest: string | null
  /** How many in a minute, or the constant that says it. */
  readonly most: string | null
  readonly takes: readonly { readonly name: string; readonly field: string; readonly cell: Cell }[]
}

export const messagesIn = (document: Document): readonly MessageTold[] =>
  subjectsOf(document, 7).flatMap(subject => {
    const name = /^Receives?\s+(.*)$/i.exec(subject.title.text)?.[1]
    return name === undefined ? [] : messageOf(subject, bare(name))
  })

function messageOf(subject: Subject, key: string): readonly MessageTold[] {
  const says = (name: string): string | null => {
    const text = saysOf(subject, name)
    return isNone(text) || isOpen(text!) ? null : bare(text!)
  }
  const about = says('About')
  const does = says('Then') ?? 'change'
  const step = /^do\s+(.*)$/i.exec(does)?.[1]
  return about === null
    ? []
    : [
        {
          cell: subject.title,
          key,
          entity: keyOf(about),
          foundBy: says('Found by'),
          creates: /^create\b/i.test(does),
          changes: /change$/i.test(does),
          step: step === undefined ? null : stepKeyOf(bare(step)),
          proof: says('Sign with') !== null ? 'signature' : says('Key') !== null ? 'key' : null,
          once: says('Once per'),
          newest: says('Newest by'),
          most: says('At most'),
          takes: rowsOf(subject, 'Receive', 'Into').map(row => ({
            name: row('Receive')!.text,
            field: bare(row('Into')!.text),
            cell: row('Into')!,
          })),
        },
      ]
}

export interface OrderTold {
  readonly cell: Cell
  readonly call: string
  /** What records share that are in one order; null: the record itself. */
  readonly per: string | null
  /** The other calls that keep it with this one. */
  readonly others: readonly string[]
}

/** `in order per item.store with C-1`. */
export const ordersIn = (document: Document): readonly OrderTold[] =>
  subjectsOf(document, 7).flatMap(({ title, properties }) =>
    properties.flatMap(({ key, value }) => {
      const said = /^in order(?:\s+per\s+(.*?))?(?:\s+with\s+(.*))?$/i.exec(value.text)
      if (!/^Order$/i.test(key.text) || said === null) return []
      const [, per, others = ''] = said
      return [
        {
          cell: value,
          call: title.text.split(/\s/)[0]!,
          per: per === undefined ? null : bare(per),
          others: pieces(others, ','),
        },
      ]
    }),
  )
