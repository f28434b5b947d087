/** The whole HTML document around a screen. */
import type { ReactElement, ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { type Hidden, HiddenInputs, Menu, type MenuItem } from './buttons.tsx'
import { Icon, type IconName } from './icons.tsx'
import { Avatar, type Crumb, Crumbs, initialsOf } from './page.tsx'
import { DecidedBy } from './provenance.tsx'
import { classes, type Line, type Reader, ReaderProvider, useReader } from './reader.tsx'
import { Find } from './search.tsx'
import { type PartProps, renderPart } from './shapes.tsx'

/** What is counted for whoever reads: records that wait for them, and what they were told of and have not read. */
type Counted = 'waiting' | 'unread'

/** `312`, `99+`; empty: none. */
export type CountTexts = Readonly<Record<Counted, string>>

export interface NavItem {
  readonly label: string
  readonly href: string
  readonly icon?: IconName
  /** What it is to pages below its address: as if it were them (`page`), or the place that they belong to. Absent: nothing. */
  readonly below?: Here['current']
  /** What stands beside it, where there is any. */
  readonly counts?: Counted
}

export interface NavGroup {
  /** Null for the first, untitled group. */
  readonly title: string | null
  readonly items: readonly NavItem[]
}

/** The item of the navigation where one is: the page itself, or the place that the page belongs to. */
export interface Here {
  readonly href: string
  readonly current: 'page' | 'true'
}

/** Who is signed in. */
export interface Me {
  /** Whose records this browser keeps in mind; empty: nobody's. */
  readonly person: string
  readonly name: string
  /** For the way out. */
  readonly hidden: Hidden
}

interface PageAssets {
  readonly styles: string
  /** A team's own accent, after the standard sheet; null: the standard one. */
  readonly brand?: string | null
  /** What this page has besides; null: nothing. */
  readonly beside?: string | null
  /** The font files that are fetched ahead: those of the page's density. */
  readonly fonts: readonly string[]
  /** Module scripts; none where nothing on the page needs one. */
  readonly scripts: readonly string[]
  readonly icon: string | null
  /** What a device needs to put the application on its home screen; null, or absent: nothing says it. */
  readonly manifest?: string | null
  /** The catalogue that scripts of this page need, of languages that they do not have themselves. */
  readonly words?: string | null
}

/** What happened before this page: the words after a POST and its redirect. */
export interface Flash {
  readonly text: string
  readonly tone: 'good' | 'bad'
  readonly link?: { readonly label: string; readonly href: string }
  /** It can be taken back. */
  readonly undo?: { readonly action: string; readonly hidden: readonly Hidden[] }
}

/** What surrounds the content of pages, for all who may do the same, whoever they are and whatever page it is. */
export interface Shell {
  readonly app: {
    readonly name: string
    readonly tagline?: string | null
    readonly href: string
    readonly logo?: { readonly href: string; readonly size: readonly [width: number, height: number] | null } | null
    /** Lines of the letterhead; the first stands in the place of the name. */
    readonly letterhead?: readonly string[]
  }
  /** By role, as data. */
  readonly nav: readonly NavGroup[]
  /** Null: nobody is signed in; then there is no sidebar, and the page is a narrow column. `menu`: links before "Sign out", settings, constants. */
  readonly me: { readonly roles: string; readonly signOut: string; readonly menu: readonly MenuItem[] } | null
  /**
   * The box that finds everything, the page that says what keys do (null: single keys do nothing), and after how many minutes without a
   * request the session ends; null where nobody is signed in.
   */
  readonly find: { readonly action: string; readonly shortcuts: string | null; readonly idle: number } | null
  /** Without a sidebar: how wide the column is. */
  readonly column: 'narrow' | 'wide' | 'print'
  readonly theme: 'light' | 'dark' | null
  readonly density: 'compact' | null
  readonly assets: PageAssets
  /** The content alone, for a frame on somebody else's page. */
  readonly bare: boolean
}

export interface PageProps {
  readonly reader: Reader
  /** The same object wherever it says the same: it is written down once. */
  readonly shell: Shell
  /** From the thing to the place; the application's name is added: "LN-2026-00007 · My loans · Loan desk". */
  readonly title: readonly string[]
  /** There are errors on the page: the title says so first. */
  readonly error?: boolean
  readonly crumbs?: readonly Crumb[]
  readonly here?: Here | null
  readonly counts?: CountTexts
  /** Absent: nobody is signed in. */
  readonly me?: Me
  /** Address of the record that is open: its steps are found too. */
  readonly from?: string | null
  /** What stands at the foot of each page on paper, where it is a print. */
  readonly foot?: string
  readonly flash?: Flash | null
  /** Above everything, while developing. */
  readonly banner?: ReactNode
  /** The lines that decide this screen. */
  readonly decidedBy?: readonly Line[]
  readonly content: ReactNode | Made
}

/** Content that is HTML already, see `renderPart`. */
export interface Made {
  readonly html: string
}

/** A piece of a page, for a script that puts it in. */
export const renderPiece = (piece: ReactElement): string => renderToString(piece)

/** The document as text, with its doctype. What surrounds the content is the same on page after page. */
export function renderPage(page: PageProps): string {
  const { reader, shell, title, error = false, crumbs = [], here = null, counts, me, flash = null } = page
  const { banner = null, decidedBy = [], content } = page
  const html = (node: ReactNode) => renderToString(<ReaderProvider reader={reader}>{node}</ReaderProvider>)
  const above =
    crumbs.length === 0 && flash === null
      ? ''
      : html(
          <>
            <Crumbs crumbs={crumbs} />
            {flash !== null && <FlashMessage flash={flash} />}
          </>,
        )
  return `<!doctype html>${renderPart(reader, PageFrame, {
    frame: shell,
    data: { here, token: me?.hidden.name ?? '', decidedBy: reader.provenance ? decidedBy : [] },
    texts: {
      title: `${error ? reader.words('errorPrefix') : ''}${[...title, shell.app.name].join(' · ')}`,
      from: page.from ?? '',
      person: me?.person ?? '',
      name: me?.name ?? '',
      initials: initialsOf(me?.name ?? ''),
      token: me?.hidden.value ?? '',
      foot: page.foot ?? '',
      waiting: counts?.waiting ?? '',
      unread: counts?.unread ?? '',
    },
    markup: {
      banner: banner === null ? '' : html(banner),
      main: above + (isMade(content) ? content.html : html(content)),
    },
  })}`
}

const isMade = (content: PageProps['content']): content is Made =>
  typeof content === 'object' && content !== null && 'html' in content

/** What surrounds the content of a page, for anybody with the same navigation. */
interface FrameData extends Shell {
  readonly here: Here | null
  readonly token: string
  readonly decidedBy: readonly Line[]
}

type FrameText = 'title' | 'from' | 'person' | 'name' | 'initials' | 'token' | 'foot' | Counted
type FrameProps = PartProps<FrameData, FrameText, 'banner' | 'main'>

function PageFrame(props: FrameProps) {
  const { data, texts, markup } = props
  const { app, nav, me, find, theme, density, assets } = data
  const reader = useReader()
  const { words } = reader
  return (
    <html
      lang={reader.locale}
      dir={reader.direction}
      data-theme={theme ?? undefined}
      data-density={density ?? undefined}
      data-keys={find != null && find.shortcuts !== null ? '' : undefined}
      data-foot={data.column === 'print' ? texts.foot : undefined}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="color-scheme" content={theme ?? 'light dark'} />
        <title>{texts.title}</title>
        {assets.fonts.map(font => (
          <link key={font} rel="preload" href={font} as="font" type="font/woff2" crossOrigin="anonymous" />
        ))}
        <link rel="stylesheet" href={assets.styles} />
        {assets.beside != null && <link rel="stylesheet" href={assets.beside} />}
        {assets.brand != null && <link rel="stylesheet" href={assets.brand} />}
        {assets.icon !== null && <link rel="icon" href={assets.icon} />}
        {assets.manifest != null && <link rel="manifest" href={assets.manifest} />}
        {assets.words != null && (
          <link id="words" rel="preload" href={assets.words} as="fetch" crossOrigin="anonymous" />
        )}
        {assets.scripts.map(script => (
          <script key={script} type="module" src={script} />
        ))}
      </head>
      <body>
        {!data.bare && (
          <a className="skip" href="#main">
            {words('skip')}
          </a>
        )}
        {markup.banner}
        {data.column === 'print' ? (
          <div className="print">
            <header className="letterhead">
              <Letterhead app={app} />
            </header>
            <Main {...props} />
          </div>
        ) : me === null && nav.length === 0 ? (
          <div className={classes('plain', data.column === 'wide' && 'wide')}>
            {!data.bare && (
              <header>
                <Brand app={app} />
              </header>
            )}
            <Main {...props} />
          </div>
        ) : me === null ? (
          <div className="visit">
            <header>
              <Brand app={app} />
              <MainNavigation {...props} />
            </header>
            <Main {...props} />
          </div>
        ) : (
          <div className="app">
            <div className="letterhead" aria-hidden="true">
              <Letterhead app={app} />
            </div>
            <header className="top">
              <button className="btn quiet sq" type="button" popoverTarget="side" aria-label={words('menu')}>
                <Icon name="menu" />
              </button>
              <Brand app={app} />
              {find !== null && (
                <a className="btn quiet sq" href={find.action} aria-label={words('findAll')}>
                  <Icon name="search" />
                </a>
              )}
              {nav
                .flatMap(({ items }) => items)
                .map(({ href, icon, label, counts }) =>
                  counts === undefined ? null : (
                    <a key={href} className="btn quiet sq" href={href}>
                      {icon !== undefined && <Icon name={icon} />}
                      <span className="vh">{label}</span>
                      <Count of={counts} texts={texts} />
                    </a>
                  ),
                )}
            </header>
            <Side {...props} />
            <Main {...props} />
          </div>
        )}
      </body>
    </html>
  )
}

function Main({ data, markup }: FrameProps) {
  const { words } = useReader()
  return (
    <main id="main" tabIndex={-1} data-offline={words('offlineNow', { time: '{time}' })}>
      {data.find !== null && (
        <output
          className="news noprint"
          data-news=""
          data-moved={words('newsMoved', { count: '{count}' })}
          data-gone={words('newsGone')}
          data-meanwhile={words('newsMeanwhile')}
          hidden
        >
          <span />
          <button type="button" className="btn sm" aria-keyshortcuts=".">
            {words('newsShow')}
          </button>
        </output>
      )}
      <div className="wrap">
        {markup.main}
        <footer>
          <DecidedBy lines={data.decidedBy} />
        </footer>
      </div>
    </main>
  )
}

/** `beside`: it lies over the page that it came to, and takes no focus. */
export function FlashMessage({ flash, beside = false }: { readonly flash: Flash; readonly beside?: boolean }) {
  const { words } = useReader()
  const { text, tone, link, undo } = flash
  return (
    <>
      {/* biome-ignore lint/a11y/noAutofocus: after a form was sent, what came of it is what has to be read first */}
      <output className={classes('flash', tone, beside && 'beside')} tabIndex={-1} autoFocus={!beside || undefined}>
        <Icon name={tone === 'good' ? 'check' : 'alert'} />
        <span>{text}</span>
        {link !== undefined && <a href={link.href}>{link.label}</a>}
        {undo !== undefined && (
          <button type="submit" form="undo" className="btn sm" aria-keyshortcuts="z">
            <Icon name="undo" />
            {words('undo')}
            <kbd className="only-wide">Z</kbd>
          </button>
        )}
      </output>
      {undo !== undefined && (
        <form id="undo" action={undo.action} method="post" hidden>
          <HiddenInputs inputs={undo.hidden} />
        </form>
      )}
    </>
  )
}

/** On a phone a popover that the top bar opens; on a wide page the same element stands beside the content. */
function Side(props: FrameProps) {
  const { data, texts } = props
  const { app, find } = data
  const { words } = useReader()
  return (
    <section className="side" id="side" popover="auto" aria-label={words('sidebar')}>
      <Brand app={app} />
      {find !== null && <Find {...find} from={texts.from === '' ? null : texts.from} person={texts.person} />}
      <MainNavigation {...props} />
      <MeMenu {...props} />
    </section>
  )
}

function Count({ of, texts }: { readonly of: Counted; readonly texts: FrameProps['texts'] }) {
  const { words } = useReader()
  return (
    <span className="n hot" data-counts={of} hidden={texts[of] === ''}>
      {texts[of]}
      <span className="vh"> {words(countWords[of])}</span>
    </span>
  )
}

const countWords = { waiting: 'waitingForYou', unread: 'unread' } as const

function MainNavigation({ data: { nav, here }, texts }: FrameProps) {
  const { words } = useReader()
  return (
    <nav className="nav" aria-label={words('mainNavigation')}>
      {nav.map(({ title, items }) => (
        <ul key={title} aria-label={title ?? undefined}>
          {title !== null && (
            <li className="nh" aria-hidden="true">
              {title}
            </li>
          )}
          {items.map(({ href, icon, label, counts }) => (
            <li key={href}>
              <a href={href} aria-current={href === here?.href ? here.current : undefined}>
                {icon !== undefined && <Icon name={icon} />}
                {label}
                {counts !== undefined && <Count of={counts} texts={texts} />}
              </a>
            </li>
          ))}
        </ul>
      ))}
    </nav>
  )
}

function MeMenu({ data: { me, token }, texts }: FrameProps) {
  const { words } = useReader()
  if (me === null) return null
  const leave: MenuItem = { kind: 'post', label: words('signOut'), action: me.signOut, icon: 'leave' }
  const items: readonly MenuItem[] = me.menu.length === 0 ? [leave] : [...me.menu, { kind: 'rule' }, leave]
  return (
    <div className="me">
      <Avatar initials={texts.initials} />
      <span className="who">
        <strong>{texts.name}</strong>
        <small className="muted">{me.roles}</small>
      </span>
      <Menu
        id="me"
        label={words('account', { name: texts.name })}
        icon="dots"
        small
        tone="quiet"
        items={items}
        hidden={[{ name: token, value: texts.token }]}
      />
    </div>
  )
}

/** The head of a printed page. */
export function Letterhead({ app }: Pick<Shell, 'app'>) {
  const [name = app.name, ...lines] = app.letterhead ?? []
  return (
    <>
      <BrandMark app={app} />
      <b>{name}</b>
      {lines.length > 0 && (
        <div className="address">
          {lines.map(line => (
            <div key={line}>{line}</div>
          ))}
        </div>
      )}
    </>
  )
}

/** The name stands beside it. */
function BrandMark({ app }: Pick<Shell, 'app'>) {
  if (app.logo != null) {
    const { href, size } = app.logo
    return <img src={href} alt="" width={size?.[0]} height={size?.[1]} />
  }
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <rect className="b" width="24" height="24" rx="6" />
      <path className="m" d="M6.5 17V7.5l11 9V7" />
    </svg>
  )
}

function Brand({ app }: Pick<Shell, 'app'>) {
  return (
    <a className="brand" href={app.href}>
      <BrandMark app={app} />
      <span>
        {app.name}
        {app.tagline != null && <small>{app.tagline}</small>}
      </span>
    </a>
  )
}
