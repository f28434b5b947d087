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

/** What the head of a mail shows: a logo that mail programs draw (no SVG), else the name. */
export interface MailBrand {
  readonly name: string
  /** `#0b6e4f`; null: the name in black. */
  readonly colour: string | null
  readonly logo: { readonly type: string; readonly content: Uint8Array } | null
}

export const logoCid = 'logo@ninefold'

function headOf({ name, colour, logo }: MailBrand): string {
  const line = `border-bottom: 3px solid ${colour ?? '#777'}; padding-bottom: 12px; font-weight: 600`
  const image =
    logo === null
      ? ''
      : `<img src="cid:${logoCid}" alt="" height="28" style="vertical-align: middle; margin-right: 10px">`
  return `<p style="${line}">${image}${escaped(name)}</p>`
}

/** A whole document. `title` is the subject. */
export function htmlOf(title: string, text: string, brand?: MailBrand): string {
  const paragraphs = text
    .trim()
    .split(/\n\s*\n/)
    .map(paragraph => `<p>${paragraph.split('\n').map(linked).join('<br>\n')}</p>`)
  return [
    '<!doctype html>',
    `<html><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escaped(title)}</title></head>`,
    '<body style="max-width: 38em; font: 16px/1.5 system-ui, sans-serif">',
    ...(brand === undefined ? [] : [headOf(brand)]),
    ...paragraphs,
    '</body></html>',
    '',
  ].join('\n')
}
