/**
 * A part of a page that a script takes over once it is there. The server renders it on its own, so that ids are the same on both
 * sides, and puts beside it, as data that is not run, what it was rendered from. Only servers import this file.
 */
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { islandJson, prefixOf } from './island-data.ts'
import { ReaderProvider, useReader } from './reader.tsx'

interface IslandProps {
  /** Names the script that takes it over, and its data: `form` → `#form-data`. One of a name on a page. */
  readonly name: string
  /** Plain data; what `children` are made of. Lines of the document are left out where the reader does not see them. */
  readonly data: unknown
  readonly children: ReactNode
}

export function Island({ name, data, children }: IslandProps) {
  const reader = useReader()
  const html = renderToString(<ReaderProvider reader={reader}>{children}</ReaderProvider>, {
    identifierPrefix: prefixOf(name),
  })
  return (
    <>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: rendered by React two lines above */}
      <div className="island" data-island={name} dangerouslySetInnerHTML={{ __html: html }} />
      <script
        type="application/json"
        id={`${name}-data`}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON without any `<`, which alone could end the element
        dangerouslySetInnerHTML={{ __html: islandJson(reader.options, data) }}
      />
    </>
  )
}
