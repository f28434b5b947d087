/** Text with paragraphs, lists and links, as people wrote it with Markdown. */
import { createElement, Fragment, type ReactNode } from 'react'
import type { Rich as Part } from '../kinds/fields/markdown/rich.ts'

export function Rich({ parts }: { readonly parts: readonly Part[] }) {
  return <div className="rich">{parts.map(asElement)}</div>
}

/** Parts have no name of their own, and never change their place: the place is the key. */
function asElement(part: Part, index: number): ReactNode {
  if (typeof part === 'string') return <Fragment key={index}>{part}</Fragment>
  const { tag, href, start, children } = part
  const own = href === undefined ? { start } : { href, rel: 'noopener noreferrer' }
  const inside = children.length === 0 ? [] : [children.map(asElement)]
  return createElement<Record<string, unknown>>(tag, { key: index, ...own }, ...inside)
}
