/** A record among others: its picture, what it is called, and in a second line what tells it from others. */
import type { ReactNode } from 'react'
import { Avatar } from '../../ui/page.tsx'
import { shown } from './value.tsx'
import type { FaceView } from './view-model.ts'

/** Decoration: what it shows is said beside it. */
export const Picture = ({ of: { image, initials } }: { readonly of: Pick<FaceView, 'image' | 'initials'> }) =>
  image !== null ? (
    <img className="av" src={image} alt="" loading="lazy" />
  ) : (
    initials !== null && <Avatar initials={initials} />
  )

interface FaceProps {
  readonly face: FaceView
  /** Beside the title: its state, marks. */
  readonly children?: ReactNode
}

export function FaceOf({ face, children }: FaceProps) {
  const { title, reference, href, said, date } = face
  const facts = [reference, ...said].filter(text => text !== '').join(' · ')
  return (
    <div className="face">
      <Picture of={face} />
      <div className="what">
        {href === null ? <b>{title}</b> : <a href={href}>{title}</a>}
        {children}
        {(facts !== '' || date !== null) && (
          <small className="muted">
            {facts}
            {date !== null && (
              <>
                {facts !== '' && ' · '}
                {date.label} {shown(date.value)}
              </>
            )}
          </small>
        )}
      </div>
    </div>
  )
}
