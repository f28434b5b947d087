/**
 * One menu for all rows of a list: each item stands in the page once, and a row says by places which are its own. A script makes buttons
 * of the rows' links and fills the menu; without one they lead to the record, whose page offers the same.
 */
import { Icon, type IconName, iconShape } from './icons.tsx'
import { classes, type Reader, useReader } from './reader.tsx'
import { type PartProps, renderPart } from './shapes.tsx'
import { differentRings, RingSymbol } from './state.tsx'
import type { Ring } from './states.ts'

/** In the address of a shared item: the address of the record, and the last part of that alone. */
export const recordPath = '{path}'
export const recordValue = '{value}'

/** A link, or a rule between links. Addresses are percent-encoded: no other braces are in them. */
export type SharedItem = { readonly kind: 'rule' } | (ItemLook & { readonly kind: 'link'; readonly href: string })

interface ItemLook {
  readonly label: string
  readonly icon: IconName
  readonly tone: 'plain' | 'bad'
}

interface RowMenuLinkProps {
  readonly href: string
  readonly places: string
  readonly object: string
}

export function RowMenuLink({ href, places, object }: RowMenuLinkProps) {
  const { words } = useReader()
  return (
    <a className="btn quiet sm sq" href={href} data-menu={places} aria-label={words('actionsFor', { object })}>
      <Dots />
    </a>
  )
}

const Dots = () => (
  <svg className="ic fat" aria-hidden="true">
    <use href="#dots" />
  </svg>
)

/** What rows refer to: rings of states, the dots, the items of menus. HTML, for a `Shared`. */
export function sharedParts(reader: Reader, rings: readonly Ring[], items: readonly SharedItem[]) {
  const nothing = { texts: {}, markup: {} }
  const symbols = differentRings(rings).map(ring => renderPart(reader, RingPart, { data: ring, ...nothing }))
  const menu = items.map(item => {
    if (item.kind === 'rule') return '<hr/>'
    const { href, label, icon, tone } = item
    return renderPart(reader, ItemPart, { data: { label, icon, tone }, texts: { href }, markup: {} })
  })
  return { symbols: symbols.join(''), menu: menu.join('') }
}

const RingPart = ({ data }: PartProps<Ring, never, never>) => <RingSymbol ring={data} />

/** No link yet: it has no address that anything could follow. */
const ItemPart = ({ data, texts }: PartProps<ItemLook, 'href', never>) => (
  <span className={classes(data.tone === 'bad' && 'bad')} data-href={texts.href}>
    <Icon name={data.icon} />
    {data.label}
  </span>
)

/** Stands once on a page whose rows refer to it. */
export function Shared({ symbols, menu }: { readonly symbols: string; readonly menu: string }) {
  return (
    <>
      <svg className="defs" aria-hidden="true">
        <symbol id="dots" viewBox="0 0 16 16">
          <path d={iconShape('dots')} />
        </symbol>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: this is what React made of them */}
        <g dangerouslySetInnerHTML={{ __html: symbols }} />
      </svg>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: this is what React made of them */}
      <div className="menu" id="row-menu" popover="auto" dangerouslySetInnerHTML={{ __html: menu }} />
    </>
  )
}
