/** Which letters the bytes of a text file are. */

/**
 * UTF-8 where it is that, or what a mark at its front says; UTF-16 is known without one by its empty halves. Else one of the sets of letters that
 * older spreadsheets write.
 */
export function decoded(bytes: Buffer): string {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0)
  if (mark === 0xfffe || mark === 0xfeff)
    return new TextDecoder(mark === 0xfffe ? 'utf-16le' : 'utf-16be').decode(bytes)
  const beginning = bytes.subarray(0, 1000)
  const [even, odd] = [0, 1].map(half => beginning.filter((byte, at) => byte === 0 && at % 2 === half).length)
  // At least separators and line ends have one, in any writing; a single one is a mistake in another file.
  if ((even === 0) !== (odd === 0) && even! + odd! > beginning.length / 20)
    return new TextDecoder(even === 0 ? 'utf-16le' : 'utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return likeliest(bytes)
  }
}

/** Those of DOS (850), which spreadsheets still offer ("MS-DOS"), from 0x80 on: no decoder of the platform has them. */
const dos = [
  'ÇüéâäàåçêëèïîìÄÅ',
  'ÉæÆôöòûùÿÖÜø£Ø×ƒ',
  'áíóúñÑªº¿®¬½¼¡«»',
  '░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐',
  '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤',
  'ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀',
  'ÓßÔÒõÕµþÞÚÛÙýÝ¯´',
  '\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
].join('')

const inDos = (bytes: Buffer): string =>
  bytes.toString('latin1').replaceAll(/[\u0080-\u00ff]/g, letter => dos[letter.charCodeAt(0) - 0x80]!)

/** Signs that stand beside no letter: "Citt\u02c6", "\u0192lodie". */
const apart = '[\u0080-\u009f\u0131\u0192\u02c6-\u02dd¤¦§¨¬¯¸†‡‰⁄Ω√∂∆∏∑∫π≈≠≤≥∞◊\u2500-\u25a0]'

/**
 * A sign between letters, or a capital one inside of a word and behind or before a small one: nobody writes "M\u201eller", "M\u0178ller" or "Jos\u017d".
 * Apostrophes and dashes are written there. And signs that stand beside no letter, or on the other side of one.
 */
const odd = new RegExp(
  [
    String.raw`(?<=\p{L})(?![\u2018\u2019\u2013\u2014\u00ad\u00b7])[^\p{L}\0-\x7f](?=\p{Ll})`,
    String.raw`(?<=\p{L})(?!\p{ASCII})\p{Lu}(?=\p{Ll})`,
    String.raw`(?<=\p{Ll})(?!\p{ASCII})\p{Lu}`,
    String.raw`(?<=\p{L})${apart}|${apart}(?=\p{L})`,
    String.raw`(?<=\p{L})[¿¡]|[©®€](?=\p{Ll})`,
  ].join('|'),
  'gu',
)

/** Where two make as few odd words, as the line ends are: a carriage return alone is the Macintosh's, else as Windows writes them. */
function likeliest(bytes: Buffer): string {
  const count = (text: string) => text.match(odd)?.length ?? 0
  const windows = new TextDecoder('windows-1252').decode(bytes)
  const macintosh = new TextDecoder('macintosh').decode(bytes)
  const ofDos = inDos(bytes)
  const all = bytes.includes('\n') || !bytes.includes('\r') ? [windows, ofDos, macintosh] : [macintosh, windows, ofDos]
  return all.reduce((best, text) => (count(text) < count(best) ? text : best))
}
