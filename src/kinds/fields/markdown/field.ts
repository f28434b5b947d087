import type { FieldKind } from '../field-kind.ts'
import { longText } from '../long-text/field.ts'

/** Text that is written with Markdown and shown as paragraphs, lists and links. It is kept as it was written. */
export const markdown: FieldKind = {
  ...longText,
  name: 'markdown',
  written: 'markdown [length]',
  meaning:
    'Text of several lines in which `**bold**`, lists, headings and links are shown as such; as long as a long text.',
  schema: (parameters, ...more) => ({ ...longText.schema(parameters, ...more), contentMediaType: 'text/markdown' }),
  examples: [
    {
      type: 'markdown 30',
      good: [
        { text: ' # One\r\n\r\n- two ', wire: '# One\n\n- two' },
        { text: '**bold** <b>', wire: '**bold** <b>' },
      ],
      bad: ['x'.repeat(31), 'form\u000cfeed', 'nul\u0000', '\udc00'],
    },
  ],
}
