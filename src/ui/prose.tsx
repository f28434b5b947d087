/** Prose as people write it in Markdown. HTML in it is shown as text, and a link leads nowhere but to http, https, mailto or this site. */
import { micromark } from 'micromark'

const known = new Map<string, string>()

/** Headings of a text stand below the title of its page, whatever their level in the document. */
function htmlOf(markdown: string): string {
  let html = known.get(markdown)
  if (html === undefined) {
    // What a writer types as HTML is escaped: every tag in here is one that the library made.
    html = micromark(markdown).replace(
      /(<\/?h)([1-6])>/g,
      (_, tag: string, level: string) => `${tag}${Math.max(2, Number(level) - 2)}>`,
    )
    known.set(markdown, html)
  }
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
