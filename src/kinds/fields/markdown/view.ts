import type { FieldView } from '../field-view.ts'
import { longTextView } from '../long-text/view.ts'
import { readMarkdown } from './rich.ts'

export const markdownView: FieldView = {
  ...longTextView,
  name: 'markdown',
  show(wire) {
    const { rich, plain } = readMarkdown(wire)
    return { text: plain, look: 'long', rich }
  },
}
