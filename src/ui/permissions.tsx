/** Who may do what, as a table for each entity, and which versions of the document were applied. */
import { Fragment } from 'react'
import { Sheet, Tag, When, type WhenProps } from './page.tsx'
import { PlainTable } from './plain-table.tsx'
import { LineMark } from './provenance.tsx'
import type { Line } from './reader.tsx'
import { DataTable } from './table.tsx'

export interface GrantView {
  readonly text: string
  /** A condition, as the document writes it. */
  readonly code: boolean
  readonly line: Line | null
  /** The role of everybody that gives it to this one, too. */
  readonly by?: string
}

interface PermissionMatrixProps {
  readonly title: string
  /** What the table shows. */
  readonly caption: string
  readonly line: Line
  /** Where the document has no table of its own for it: what holds instead. */
  readonly says: string | null
  /** Of the roles, then of each verb. */
  readonly heads: readonly string[]
  /** Cells of all that holds, one below the other. */
  readonly rows: readonly { readonly name: string; readonly cells: readonly (readonly GrantView[])[] }[]
  readonly fields: readonly {
    readonly name: string
    readonly line: Line
    readonly see: string
    readonly change: string | null
    /** A condition, as the document writes it. */
    readonly when: string | null
  }[]
}

export function PermissionMatrix({ title, caption, line, says, heads, rows, fields }: PermissionMatrixProps) {
  return (
    <Sheet title={title} line={line} flush>
      {says !== null && <p className="body">{says}</p>}
      {rows.length > 0 && (
        <PlainTable
          label={caption}
          roomy
          columns={heads.map(label => ({ key: label, label }))}
          rows={rows.map(({ name, cells }) => ({
            id: name,
            cells: [
              name,
              ...cells.map((views, at) => (
                <span key={heads[at + 1]}>
                  {views.map(({ text, code, by, line: decides }, index) => (
                    <Fragment key={by ?? ''}>
                      {index > 0 && <br />}
                      {code ? <code>{text}</code> : text} {by !== undefined && `(${by}) `}
                      <LineMark line={decides} />
                    </Fragment>
                  ))}
                </span>
              )),
            ],
          }))}
        />
      )}
      {fields.length > 0 && (
        <ul className="moves">
          {fields.map(({ name, line: decides, see, change, when }) => (
            <li key={name}>
              <span className="lab">{name}</span>
              <span className="muted">
                {see}
                {change !== null && ` · ${change}`}
                {when !== null && (
                  <>
                    {' · '}
                    <code>{when}</code>
                  </>
                )}
              </span>
              <LineMark line={decides} />
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  )
}

interface VersionListProps {
  readonly caption: string
  readonly heads: readonly [string, string]
  /** Beside the one that is served. */
  readonly now: string
  readonly versions: readonly {
    readonly number: string
    readonly version: string
    readonly current: boolean
    readonly applied: WhenProps
  }[]
}

export function VersionList({ caption, heads, now, versions }: VersionListProps) {
  return (
    <div className="sheet">
      <DataTable
        caption={caption}
        columns={[
          { key: 'version', label: heads[0], slot: 'title', priority: 1, sort: null },
          { key: 'applied', label: heads[1], slot: 'note', priority: 1, sort: null },
        ]}
        rows={versions.map(({ number, version, current, applied }) => ({
          id: number,
          object: version,
          href: null,
          cells: [
            <span key="v">
              <code>{version}</code> {current && <Tag tone="good">{now}</Tag>}
            </span>,
            <When key="w" {...applied} />,
          ],
        }))}
      />
    </div>
  )
}
