/** What stands around the content of pages: made once for all who may do the same, whatever page of theirs they look at. */

import { createHash } from 'node:crypto'
import { type Catalogue, catalogueOf } from '../expression/catalogue.ts'
import { memoize } from '../expression/memoize.ts'
import { engineValue } from '../headings/9-limits/engine.ts'
import { wordFor } from '../headings/translate.ts'
import type { Preferences } from '../run/people/people.ts'
import { nobody } from '../store/system.ts'
import type { Shell } from '../ui/shell.tsx'
import type { Beside } from '../ui/styles.ts'
import { brandAssets, manifestOf } from './brand.ts'
import type { Assets } from './client.ts'
import { type Asking, isAboutSigningIn, navigation, visitorsNavigation } from './navigation.ts'
import { draftsPath, findPath, shortcutsPath } from './paths.ts'
import type { RequestContext, Web } from './request-context.ts'
import { say } from './sentences.ts'
import type { Site } from './site.ts'

/** All that decides a shell, besides the site: it is made of this alone, and this is the key under which it is kept. */
interface Need {
  /** Null: it is for everybody, whoever asks. */
  readonly asking: Asking | null
  /** Without navigation: in a frame of others, on paper, and where one signs in. */
  readonly alone: boolean
  readonly embedded: boolean
  readonly paper: boolean
  readonly wide: boolean
  readonly choices: Pick<Preferences, 'theme' | 'density' | 'shortcuts'> | null
  readonly hasDrafts: boolean
  /** Minutes without a request after which the session ends. */
  readonly idle: number
  readonly hasNotices: boolean
  /** Entries of what this page needs, besides what every page does. */
  readonly scripts: readonly string[]
}

/** Roles, screens and choices: few, and mostly the same. */
const mostShells = 500

const shells = new WeakMap<Web, WeakMap<Site, Map<string, Shell>>>()

function shellFor(web: Web, site: Site, need: Need): Shell {
  const known = memoize(
    memoize(shells, web, () => new WeakMap<Site, Map<string, Shell>>()),
    site,
    () => new Map<string, Shell>(),
  )
  if (known.size > mostShells) known.clear()
  return memoize(known, JSON.stringify(need), () => made(web, site, need))
}

interface PageKind {
  readonly paper: boolean
  readonly wide: boolean
  /** Entries of the browser bundle; a name that it does not have is left out. */
  readonly scripts: readonly string[]
}

export function shellOf({ web, site, request, ...context }: RequestContext, { paper, wide, scripts }: PageKind): Shell {
  const { embedded, preferences } = context
  return shellFor(web, site, {
    asking: askingOf(request),
    alone: embedded || paper || (request.actor.id === null && isAboutSigningIn(context.path)),
    embedded,
    paper,
    wide,
    choices: preferences && {
      theme: preferences.theme,
      density: preferences.density,
      shortcuts: preferences.shortcuts,
    },
    hasDrafts: context.drafts.length > 0,
    hasNotices: context.hasUnread,
    idle: engineValue(request.limits, 'session_idle'),
    scripts,
  })
}

/** Where nothing is known of who asks. */
export const bareShell = (web: Web, site: Site, embedded: boolean): Shell =>
  shellFor(web, site, {
    asking: null,
    alone: true,
    embedded,
    paper: false,
    wide: false,
    choices: null,
    hasDrafts: false,
    hasNotices: false,
    idle: 0,
    scripts: [],
  })

/** What whoever asks may do, and nothing of who they are. */
const askingOf = ({ actor, by, preview }: RequestContext['request']): Asking => ({
  actor: {
    ...actor,
    id: actor.id === null ? null : nobody,
    name: null,
    tenant: actor.tenant == null ? null : nobody,
    ...(actor.link === undefined ? {} : { link: { ...actor.link, id: nobody } }),
  },
  ...(by === undefined ? {} : { by: { id: nobody, name: '', until: '' } }),
  ...(preview === undefined ? {} : { preview: { role: preview.role, until: '' } }),
})

function made(web: Web, site: Site, need: Need): Shell {
  const { asking, alone, embedded, paper, wide, choices, hasNotices } = need
  const density = paper ? 'compact' : (choices?.density ?? null)
  // Tables on paper are narrow, what stands around them is not.
  const widths = paper ? [100, 90] : density === 'compact' ? [90] : [100]
  const beside: Beside | null = paper ? 'paper' : wide ? 'source' : null
  const signedIn = asking !== null && asking.actor.id !== null && !paper ? asking : null
  return {
    bare: embedded,
    app: brandOf(web, site),
    nav:
      asking === null || alone
        ? []
        : signedIn === null
          ? visitorsNavigation(site, asking.actor)
          : navigation({ web, site, request: asking }, hasNotices),
    me: signedIn === null ? null : accountOf(site, signedIn, need.hasDrafts),
    find:
      signedIn === null
        ? null
        : {
            action: findPath,
            shortcuts: choices?.shortcuts === 'off' ? null : shortcutsPath,
            idle: need.idle,
          },
    theme: paper ? 'light' : (choices?.theme ?? null),
    density,
    assets: {
      ...pageAssets(web, site, widths, embedded ? null : need.scripts, signedIn !== null),
      beside: beside === null ? null : hrefIn(web, `${beside}.css`),
    },
    column: paper ? 'print' : wide ? 'wide' : 'narrow',
  }
}

const accountOf = (site: Site, { actor, by }: Asking, hasDrafts: boolean): Shell['me'] => ({
  roles: site.reader.format.allOf(actor.roles.map(role => wordFor(site.app, role))),
  signOut: '/-/sign-out',
  menu:
    by === undefined
      ? [
          ...(hasDrafts
            ? [{ kind: 'link' as const, label: say(site, 'myDrafts'), href: draftsPath, icon: 'pencil' as const }]
            : []),
          { kind: 'link', label: say(site, 'account'), href: '/-/account', icon: 'person' },
          { kind: 'link', label: say(site, 'shortcutsTitle'), href: shortcutsPath, icon: 'info' },
        ]
      : [],
})

/** The application's name, beside its logo. */
export const brandOf = ({ options }: Web, { app }: Site): Shell['app'] => ({
  name: app.name,
  href: '/',
  logo: brandAssets(options.assets, app.product.brand).logo,
  letterhead: app.product.brand.letterhead,
})

/** Scripts of every page come first; null: it has none at all. `follows`: it shows what others write. */
function pageAssets(
  web: Web,
  { app, reader }: Site,
  widths: readonly number[],
  scripts: readonly string[] | null,
  follows: boolean,
) {
  const { assets, mode } = web.options
  const brand = brandAssets(assets, app.product.brand)
  const icon = brand.icon ?? hrefIn(web, 'icon.svg')
  return {
    styles: assets.href('ninefold.css'),
    brand: brand.styles,
    fonts: widths.flatMap(width => hrefIn(web, `sans-${width}.woff2`) ?? []),
    icon,
    manifest: icon === null || !follows ? null : manifestOf(assets, { name: app.name, locale: reader.locale, icon }),
    words: scripts?.includes('form.js') ? wordsAsset(assets, reader.locale) : null,
    scripts:
      scripts === null
        ? []
        : ['page.js', ...(follows || mode === 'dev' ? ['live.js'] : []), ...scripts].flatMap(
            name => hrefIn(web, name) ?? [],
          ),
  }
}

/** The words that a form says itself, in a language whose words its script has not. */
function wordsAsset(assets: Assets, locale: string): string | null {
  const catalogue = catalogueOf(locale)
  if (catalogue === null) return null
  const name = memoize(wordsNames, catalogue, () => {
    const { chrome, refusals, messages } = catalogue
    const content = JSON.stringify({ chrome, refusals, messages })
    const name = `words-${locale}-${createHash('sha256').update(content).digest('hex').slice(0, 10)}.json`
    if (!assets.names.has(name)) assets.add({ name, content })
    return name
  })
  return assets.href(name)
}

const wordsNames = new WeakMap<Catalogue, string>()

/** Null: there is no such file (there may be no client half at all). */
const hrefIn = ({ options: { assets } }: Web, name: string): string | null =>
  assets.names.has(name) ? assets.href(name) : null
