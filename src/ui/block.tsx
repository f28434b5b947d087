/** A component of the document: rendered already; its script, where there is one, takes it over. */
export function Block({ block }: { readonly block: BlockProps }) {
  const { key, html, data, failed } = block
  return (
    <section className="sheet">
      {html === null ? (
        <p className="body" role="alert">
          {failed}
        </p>
      ) : (
        <div
          className="body"
          data-block={key}
          data-data={data}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered by React on the server
          dangerouslySetInnerHTML={{ __html: html }}
        />
      )}
    </section>
  )
}

export interface BlockProps {
  /** Names the script that takes it over. */
  readonly key: string
  /** Null: it failed. */
  readonly html: string | null
  /** JSON of what it was rendered from, and of what to say where it fails in the browser. */
  readonly data: string
  /** Which block of which file could not be shown. */
  readonly failed: string
}
