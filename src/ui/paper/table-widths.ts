/** How wide the columns of a table are: what stands in them if there is room, else by what they need most. */

export interface ColumnNeed {
  /** Of its longest cell, and of its longest word. */
  readonly whole: number
  readonly word: number
}

/** All together exactly `room`, where it is enough for the longest words; else each in the same measure less. */
export function columnWidths(needs: readonly ColumnNeed[], room: number): readonly number[] {
  const sum = (of: (need: ColumnNeed) => number) => needs.reduce((all, need) => all + of(need), 0)
  const [whole, word] = [sum(need => need.whole), sum(need => need.word)]
  if (whole <= room) {
    // What is left over goes to the columns of texts: figures stay beside each other.
    const longest = needs.findIndex(need => need.whole === Math.max(...needs.map(each => each.whole)))
    return needs.map((need, at) => need.whole + (at === longest ? room - whole : 0))
  }
  if (word >= room) return needs.map(need => (need.word / word) * room)
  // Narrow columns have what they ask for; those that ask for more share what is left.
  const open = new Set(needs.keys())
  const widths = needs.map(() => 0)
  for (let left = room; open.size > 0; ) {
    const share = left / open.size
    const settled = [...open].filter(at => needs[at]!.whole <= share || needs[at]!.word > share)
    for (const at of settled.length > 0 ? settled : open) {
      widths[at] = needs[at]!.whole <= share ? needs[at]!.whole : Math.max(share, needs[at]!.word)
      left -= widths[at]!
      open.delete(at)
    }
  }
  const over = widths.reduce((all, width) => all + width, 0) - room
  const spare = widths.map((width, at) => width - needs[at]!.word)
  const spares = spare.reduce((all, width) => all + width, 0)
  return over <= 0 ? widths : widths.map((width, at) => width - (over * spare[at]!) / spares)
}
