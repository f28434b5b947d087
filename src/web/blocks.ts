/**
 * React components of the document on the page of a record. The server renders them from what this person sees of it, each in a world of its own;
 * a script of their own takes them over in the browser, on pages that have one. What fails says so in its place, and the page stands.
 */

import { createHash } from 'node:crypto'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { join } from 'node:path'
import { createContext, Script } from 'node:vm'
import { buildSync, transformSync } from 'esbuild'
import * as react from 'react'
import * as runtime from 'react/jsx-runtime'
import { renderToString } from 'react-dom/server'
import type { BlockProps, BlockStep, ScreenGiven, ScreenProps } from '../../types/blocks.d.ts'
import { position } from '../document/cell.ts'
import { home, isBuilt } from '../files.ts'
import type { Screen } from '../headings/2-screens/model.ts'
import type { BlockLink } from '../headings/code/model.ts'
import type { OneData, ReadRow } from '../kinds/screens/read-data.ts'
import type { BlockView, RecordView } from '../kinds/screens/record-view.ts'
import { usesOf } from '../kinds/screens/uses.ts'
import { placeIn, type Ready } from '../run/write/code.ts'
import * as kit from '../ui/kit.tsx'
import { type Json, recordJson, rowJson } from './api/json.ts'
import type { RequestContext } from './request-context.ts'
import { actionsOf, type Building, openHref } from './screens/common.ts'

/** Milliseconds that one block may take on the server. */
const longestRender = 1000

export interface Blocks {
  readonly views: readonly BlockView[]
  /** Names of scripts, as pages name them. */
  readonly scripts: readonly string[]
}

export function blocksOf(
  context: RequestContext,
  screen: Screen,
  entity: string,
  data: OneData,
  { actions }: Pick<RecordView, 'actions'>,
): Blocks {
  const links = usesOf(screen).blocks
  if (links.length === 0) return { views: [], scripts: [] }
  const { site } = context
  const { steps: _, ...record } = recordJson(site.app, entity, data)
  const steps = stepsOf(actions)
  // Exactly what the browser gets: nothing that is not plain data.
  const given: BlockProps<Json> = { record, steps, today: context.request.today, locale: site.reader.locale }
  const props = JSON.stringify(given)
  const blocks = links.map(block => blockOf(context, block, props))
  return { views: blocks.map(({ view }) => view), scripts: blocks.flatMap(({ script }) => script ?? []) }
}

/** A component that is a whole screen: the records that it is given, or none, and steps and address of each. */
export function screenBlock(
  build: Building,
  link: BlockLink,
  given: { readonly entity: string; readonly rows: readonly ReadRow[]; readonly more: boolean } | null,
): { readonly view: BlockView; readonly script: string | null } {
  const { site, context } = build
  const shown: Omit<ScreenProps<Json>, keyof ScreenGiven> | null = given && {
    records: given.rows.map(row => ({
      ...rowJson(site.app, given.entity, row),
      href: openHref(build, given.entity, row),
      steps: stepsOf(actionsOf(build, null, given.entity, row, { onlyOpen: true })),
    })),
    more: given.more,
  }
  const whole: ScreenGiven = { ...shown, today: context.request.today, locale: site.reader.locale }
  return blockOf(context, link, JSON.stringify(whole))
}

/** Those that can be taken now. */
const stepsOf = (actions: RecordView['actions']): BlockStep[] =>
  actions
    .filter(({ open }) => open)
    .map(({ key, label, action, hidden, confirm, asks }) => ({
      key,
      label,
      action,
      hidden: [...hidden],
      confirm,
      asks,
    }))

function blockOf(context: RequestContext, block: BlockLink, props: string): { view: BlockView; script: string | null } {
  const { name, file } = block
  const failed = context.site.reader.words('blockFailed', { name, file: file.path })
  let component: Ready | undefined
  try {
    const made = madeOf(block)
    component = made.component
    const { key, content } = made
    const html = rendered(component.script, name, props)
    const script = `block-${key}.js`
    context.web.options.assets.add({ name: script, content })
    return { view: { key, html, data: JSON.stringify({ props: JSON.parse(props), failed }), failed }, script }
  } catch (error) {
    context.web.options.log({
      level: 'error',
      event: 'code failed',
      request: context.request.id,
      detail: {
        block: name,
        file: placeIn(file.path, component, error) ?? file.path,
        line: position(block.cell.file, block.cell.start).line,
        why: String((error as { message?: unknown } | null)?.message),
      },
    })
    return { view: { key: name, html: null, data: '', failed }, script: null }
  }
}

const modules: Readonly<Record<string, unknown>> = { react, 'react/jsx-runtime': runtime, 'ninefold/ui': kit }

/** The same for browsers, of which only what a block uses travels. */
const kitFile = isBuilt ? join(home, 'dist', 'kit', 'kit.js') : join(home, 'src', 'ui', 'kit.tsx')

/** Its HTML; throws what the component throws. */
function rendered(component: Script, name: string, props: string): string {
  const own: { exports: Readonly<Record<string, react.ComponentType>> } = { exports: {} }
  const world = {
    module: own,
    exports: own.exports,
    require: (id: string) => modules[id],
    render: () => renderToString(react.createElement(own.exports[name]!, JSON.parse(props))),
  }
  const context = createContext(world, { codeGeneration: { strings: false, wasm: false } })
  component.runInContext(context, { timeout: longestRender })
  return new Script('render()').runInContext(context, { timeout: longestRender }) as string
}

interface Made {
  readonly key: string
  readonly component: Ready
  /** The script that takes the block over in the browser. */
  readonly content: string
}

const made = new Map<string, () => Made>()

/** Once per text of its file; throws what is wrong with it. */
function madeOf(block: BlockLink): Made {
  const key = createHash('sha256').update(`${block.name}\0${block.file.text}`).digest('hex').slice(0, 10)
  const known = made.get(key) ?? attempt(() => make(block, key))
  made.set(key, known)
  return known()
}

/** Gives what came of it, or throws it anew. */
function attempt<Value>(make: () => Value): () => Value {
  try {
    const value = make()
    return () => value
  } catch (error) {
    return () => {
      throw error
    }
  }
}

/** By calls that wait: for others esbuild keeps a process of its own, which would stay. */
function make({ name, file }: BlockLink, key: string): Made {
  const { code, map } = transformSync(file.text, {
    loader: 'tsx',
    jsx: 'automatic',
    format: 'cjs',
    sourcefile: file.path,
    sourcemap: 'external',
    logLevel: 'silent',
  })
  const { outputFiles } = buildSync({
    stdin: {
      contents: `${file.text}\n${takeOver(name, key)}`,
      loader: 'tsx',
      sourcefile: file.path,
      resolveDir: home,
    },
    bundle: true,
    alias: { 'ninefold/ui': kitFile },
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    minify: true,
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'none',
    logLevel: 'silent',
  })
  const component = {
    script: new Script(code, { filename: file.path }),
    map: new SourceMap(JSON.parse(map) as SourceMapPayload),
  }
  return { key, component, content: outputFiles[0]!.text }
}

const takeOver = (name: string, key: string): string => `
import { Component as NinefoldComponent, createElement as ninefoldElement } from 'react'
import { hydrateRoot as ninefoldHydrate } from 'react-dom/client'
class NinefoldBoundary extends NinefoldComponent<any, any> {
  state = { failed: false }
  static getDerivedStateFromError() { return { failed: true } }
  render() { return this.state.failed ? ninefoldElement('p', { role: 'alert' }, this.props.failed) : this.props.children }
}
for (const host of document.querySelectorAll<HTMLElement>('[data-block="${key}"]')) {
  const { props, failed } = JSON.parse(host.dataset.data!)
  ninefoldHydrate(host, ninefoldElement(NinefoldBoundary, { failed }, ninefoldElement(${name} as any, props)))
}
`
