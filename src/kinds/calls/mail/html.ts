/** The text of a mail as HTML: paragraphs, line breaks and links, and nothing that a value could add to it. */

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replace(/[&<>"']/g, sign => entities[sign]!)

/** A web address up to the sign that ends a sentence. */
const address = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}]/g

function linked(text: string): string {
  let html = ''
  let end = 0
  for (const match of text.matchAll(address)) {
    const href = escaped(match[0])
    html += `${escaped(text.slice(end, match.index))}<a href="${href}">${href}</a>`
    end = match.index + match[0].length
  }
  return html + escaped(text.slice(end))
}

/** A whole document. `title` is the subject. */
export function htmlOf(title: string, text: string): string {
  const paragraphs = text
    .trim()
    .split(/\n\s*\n/)
    .map(paragraph => `<p>${paragraph.split('\n').map(linked).join('<br>\n')}</p>`)
  return [
    '<!doctype html>',
    `<html><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escaped(title)}</title></head>`,
    '<body style="max-width: 38em; font: 16px/1.5 system-ui, sans-serif">',
    ...paragraphs,
    '</body></html>',
    '',
  ].join('\n')
}
