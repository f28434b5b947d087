/** Heading 7: the calls it makes, mails included. */
import type { Cell } from '../../document/source.ts'
import type { Expression, Template } from '../../expression/expression.ts'
import type { Given } from '../4-states/model.ts'
import { isUnspecified, type Specified } from '../specified.ts'

export interface Call {
  /** `C-2`. */
  readonly key: string
  readonly name: string
  readonly cell: Cell
  /** The entity whose record it is about. */
  readonly entity: string | null
  /**
   * `after Loan take back`, `after Fine created`; null where only `call C-2` in section 4 starts it. Nothing has to be done about
   * it: the step that it names has the call among its acts, or there is an effect that makes it.
   */
  readonly trigger: Specified<{ readonly cell: Cell; readonly entity: string; readonly step: string }> | null
  readonly request: Specified<{ readonly cell: Cell; readonly method: string; readonly url: Template }>
  /** Name of an environment variable whose value signs the body (HMAC-SHA256). */
  readonly secret: { readonly cell: Cell; readonly name: string } | null
  /** Of every attempt, beside those that Ninefold sets; their holes are settings, which are looked up when it is made. */
  readonly headers: readonly { readonly name: string; readonly cell: Cell; readonly value: Template }[]
  /** Seconds. */
  readonly timeout: { readonly cell: Cell | null; readonly seconds: number }
  /** Sent as `Idempotency-Key`; null: the outbox row's id. */
  readonly repeat: { readonly cell: Cell; readonly safe: boolean; readonly key: Template | null } | null
  /** Calls with the same value leave in the order in which they were caused; null: those of one record do. */
  readonly order: Specified<Expression> | null
  /** Other calls that keep this order with it, and it with them. */
  readonly orderedWith: readonly { readonly call: string; readonly cell: Cell }[]
  /** It waits for the end of quiet hours. */
  readonly quiet: boolean
  readonly send: readonly {
    readonly name: string
    readonly cell: Cell
    readonly from: Specified<Expression | Template>
  }[]
  readonly answers: readonly Answer[]
}

/** First matching row decides. `statuses` are numbers or classes (`5xx`). */
export interface Answer {
  readonly cell: Cell
  readonly statuses: readonly string[]
  readonly timeout: boolean
  readonly then: readonly AnswerAct[]
}

export type AnswerAct = { readonly cell: Cell } & (
  | { readonly kind: 'set'; readonly values: readonly Given[] }
  | { readonly kind: 'stop' }
  | { readonly kind: 'report'; readonly error: string }
  | { readonly kind: 'do'; readonly step: string }
  /** Takes what stands under a name of the answer, '' for all of it, as messages of a `Receives`: one, or a list of them. */
  | { readonly kind: 'receive'; readonly message: string; readonly from: string }
  /** `repeat 6 times within 2 hours`: at growing distances; afterwards the acts that follow it in the cell. */
  | { readonly kind: 'repeat'; readonly times: number; readonly within: number }
)

/** Where the link of the record goes in the text of a mail: made when the mail leaves, and a secret until then. */
export const linkMark = '\u{f0000}'

export interface Mail {
  readonly key: string
  readonly cell: Cell
  /** The entity whose record it is about: the one of the steps and timers that send it. */
  readonly entity: string | null
  readonly to: Specified<readonly Recipient[]>
  readonly subject: Specified<Template>
  /** Null: explicitly none. */
  readonly body: Specified<Template> | null
  /** Both in the other languages of heading 1, by their tags, as far as they are translated. */
  readonly translated: ReadonlyMap<string, Pick<Mail, 'subject' | 'body'>>
  /** It leaves in quiet hours, too. */
  readonly urgent: boolean
  /** Whoever gets it chooses on their account page whether they do. */
  readonly optional: boolean
  /** A text that names the language of heading 1 for whoever has no account, or chose none. Null: it is the default one. */
  readonly language: Expression | null
}

/** Whether a body has several lines: no table holds it, so it stands in a fence. */
export const isLong = (body: Mail['body']): boolean =>
  body !== null && !isUnspecified(body) && body.cell.text.includes('\n')

/** Hours of the day in which what need not wake anybody waits; `from` after `to` goes over midnight. Minutes since midnight. */
export interface QuietHours {
  readonly cell: Cell
  readonly from: number
  readonly to: number
}

/**
 * To whom a mail goes. `role`: those who hold it, or have an account where it is null, and of whom the condition holds; `this` in it is
 * the record.
 */
export type Recipient = { readonly cell: Cell } & (
  | { readonly kind: 'role'; readonly role: string | null; readonly where: Expression | null }
  | { readonly kind: 'person'; readonly expression: Expression }
  /** Those for whom the record waits: the people of an approval who have not decided, and whoever stands in for them. */
  | { readonly kind: 'awaited'; readonly approval: string }
  /** A field of type e-mail: somebody who need not have an account. */
  | { readonly kind: 'address'; readonly expression: Expression }
)

/** `### Receives stock_count`: a message that others may send, and what it does. */
export interface Receive {
  /** `stock_count`: the end of its address. */
  readonly key: string
  readonly cell: Cell
  readonly entity: string
  /** A unique field that the message brings; null where each message makes a record. */
  readonly foundBy: string | null
  readonly does: 'create' | 'change' | 'create or change' | { readonly step: string }
  /**
   * The environment variable that the sender knows, as a key or as what it signs with (HMAC-SHA256). Null: nobody sends it, and answers of
   * calls alone bring it.
   */
  readonly proof: { readonly cell: Cell; readonly kind: 'key' | 'signature'; readonly variable: string } | null
  /** `name` in the body → `field` of the entity, as `into` writes it. */
  readonly takes: readonly { readonly name: string; readonly field: string; readonly cell: Cell; readonly into: Cell }[]
  /** Name in the body that is the same in repetitions. */
  readonly once: string | null
  /** Field that must grow. */
  readonly newest: string | null
  /** How many are taken in a minute, or the constant that says it. */
  readonly most: { readonly cell: Cell; readonly value: number | { readonly limit: string } } | null
}

/** One that others send, to an address of its own. */
export type Sent = Receive & { readonly proof: NonNullable<Receive['proof']> }

export const isSent = (receive: Receive): receive is Sent => receive.proof !== null

/** A value from the environment: `settings.assets_url` is `ASSETS_URL`. Declared in a table, or by being used. */
export interface Setting {
  readonly key: string
  readonly variable: string
  readonly cell: Cell
  readonly secret: boolean
}
