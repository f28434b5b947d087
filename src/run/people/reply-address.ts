/**
 * Addresses that answers to notices go to: `reply+<token>@in.example.org`. The token names the comment, or the entry of the history, and
 * proves that a mail about it went to this person; nobody else can make one, and nothing has to be kept for it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface Replies {
  /** `reply@in.example.org`: no more than 11 characters before the sign, so that there is room for a token. */
  readonly address: string
  /** What tokens are signed with, and whoever brings mails in shows. */
  readonly key: string
}

/** The least characters of a key. */
export const shortestReplyKey = 32

/** `REPLY_TO` and `REPLY_KEY`; null: answers are not taken. */
export function repliesOf(variable: (name: string) => string | undefined): Replies | null {
  const [address, key] = [variable('REPLY_TO') ?? '', variable('REPLY_KEY') ?? '']
  return /^[^\s@+]{1,11}@[^\s@]+$/.test(address) && key.length >= shortestReplyKey ? { address, key } : null
}

/** Parts of mail addresses may be made lower case on their way, and have 64 characters at most. */
const letters = 'abcdefghijklmnopqrstuvwxyz234567'
const idLength = 26
const proofLength = 26

const base32 = (bytes: Buffer): string => {
  const bits = [...bytes].map(byte => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map(five => letters[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** `source`: the id of a comment or an entry. */
const proofOf = ({ key }: Replies, source: string, person: string): string =>
  base32(createHmac('sha256', key).update(`reply ${source} ${person}`).digest()).slice(0, proofLength)

export function replyAddress(replies: Replies, source: string, person: string): string {
  const [local, host] = replies.address.split('@')
  const id = base32(Buffer.from(source.replaceAll('-', ''), 'hex'))
  return `${local}+${id}${proofOf(replies, source, person)}@${host}`
}

/** What it was about, as whoever sent it claims; whether that was ever said to a person `isProvenTo` tells. Null: there is no such address in the text. */
export function repliedTo(text: string): { readonly source: string; readonly proof: string } | null {
  const [, id = '', proof = ''] =
    new RegExp(`\\+([a-z2-7]{${idLength}})([a-z2-7]{${proofLength}})@`, 'i')
      .exec(text)
      ?.map(one => one.toLowerCase()) ?? []
  if (id === '') return null
  const bits = [...id].map(letter => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const hex = bits.slice(0, 128).replace(/.{4}/g, four => Number.parseInt(four, 2).toString(16))
  return { source: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'), proof }
}

export const isProvenTo = (
  replies: Replies,
  { source, proof }: { readonly source: string; readonly proof: string },
  person: string,
): boolean => timingSafeEqual(Buffer.from(proofOf(replies, source, person)), Buffer.from(proof))

/** Stands in the line of a mail below which nothing of an answer is read, whatever the language. */
export const replyMark = '##-'

/** What somebody wrote above the mail that they answer, without what their program put between the two, and without a signature. */
export function answerIn(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const mark = lines.findIndex(line => line.includes(replyMark))
  const above = mark === -1 ? lines : lines.slice(0, mark)
  const signature = above.findIndex(line => /^-- ?$/.test(line))
  const own = signature === -1 ? above : above.slice(0, signature)
  if (mark !== -1) dropBetween(own)
  return own.join('\n').trim()
}

/** What a program puts between an answer and what it answers: empty and quoted lines, the head of that mail, who wrote it and when. */
function dropBetween(lines: string[]): void {
  dropQuoted(lines)
  const lastOf = (count: number) => lines.slice(-count).join(' ').trim()
  const introduced = [1, 2].find(count => introduction.test(lastOf(count)))
  if (introduced !== undefined) lines.splice(-introduced)
  dropQuoted(lines)
}

const dropQuoted = (lines: string[]): void => {
  while (lines.length > 0 && quoted.test(lines.at(-1)!.trim())) lines.pop()
}

/** Empty, quoted, a rule, or `From: …`. */
const quoted = /^(>.*|[-_]{2,}.*|\*?[\p{L} ]{2,12}:\*? .*|)$/u
/** `On Mon, 2 March, Desk <desk@example.org> wrote:`, which may have gone over into a second line. */
const introduction = /(<[^\s@]+@[^\s>]+>|\d).*[:：]$/
