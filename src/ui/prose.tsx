/** Prose as people write it in Markdown. HTML in it is shown as text, and a link leads nowhere but to http, https, mailto or this site. */
import MarkdownIt from 'markdown-it'

/** Deeper lists and quotes than the document may nest. */
const deepest = 100

// In time that grows with the length: `prose.test.ts` measures it.
const parser = new MarkdownIt('commonmark', { html: false, maxNesting: deepest })
parser.validateLink = url => !/^[^/?#]*:/.test(url.trim()) || /^\s*(?:https?|mailto):/i.test(url)
// Headings of a text stand below the title of its page, whatever their level in the document.
for (const rule of ['heading_open', 'heading_close'])
  parser.renderer.rules[rule] = (tokens, at, options, _, renderer) => {
    const token = tokens[at]!
    token.tag = `h${Math.max(2, Number(token.tag.slice(1)) - 2)}`
    return renderer.renderToken(tokens, at, options)
  }

const known = new Map<string, string>()

/** What a writer types as HTML is escaped: every tag in here is one that the library made. */
export function htmlOf(markdown: string): string {
  const html = known.get(markdown) ?? parser.render(markdown)
  known.set(markdown, html)
  return html
}

export function Prose({ markdown }: { readonly markdown: string }) {
  return (
    <div className="sheet">
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: Markdown made into HTML by a library that escapes HTML */}
      <div className="body prose" dangerouslySetInnerHTML={{ __html: htmlOf(markdown) }} />
    </div>
  )
}
