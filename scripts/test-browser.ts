/**
 * Global set-up of the browser tests: finds Chromium, or says that it installs it and does (Debian's package where we are root, else an npm package),
 * and starts it once: tests connect to it at `inject('chromium')`.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    chromium: string
  }
}

const home = dirname(dirname(fileURLToPath(import.meta.url)))
/** Debian's shell, which has no windows, takes a quarter less of the processor. */
const known = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
]

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await chromium.launchServer({
    executablePath: await findChromium(),
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
    // The run is ended in order (`progress.ts`); by default the browser would end this process first.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })
  project.provide('chromium', server.wsEndpoint())
  return () => server.close()
}

/** Its path. */
export const findChromium = async (): Promise<string> =>
  process.env.NINEFOLD_CHROMIUM ?? known.find(existsSync) ?? fromDebian() ?? (await fromNpm())

function fromDebian(): string | null {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return null
  console.log(
    `No Chromium is here: installing Debian's with apt-get (once; NINEFOLD_CHROMIUM names one that is elsewhere) …`,
  )
  const apt = (...args: string[]) =>
    spawnSync('apt-get', [...args, '-qq', '-y'], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
      .status === 0
  if (!apt('update')) return null
  for (const name of ['chromium-headless-shell', 'chromium']) if (apt('install', '--no-install-recommends', name)) break
  return known.find(existsSync) ?? null
}

/** A Chromium that comes inside a registry package; kept beside the dependencies so that it is fetched once. */
async function fromNpm(): Promise<string> {
  const folder = join(home, 'node_modules', '.cache', 'chromium')
  const name = '@sparticuz/chromium'
  if (!existsSync(join(folder, 'node_modules', name))) {
    console.log(`No Chromium is here: installing one from npm, below node_modules (once, about 70 MB) …`)
    mkdirSync(folder, { recursive: true })
    execFileSync('npm', [
      'install',
      '--prefix',
      folder,
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      `${name}@153.0.0`,
    ])
  }
  // Where its code begins, it says itself: it has moved before.
  const entry = createRequire(join(folder, 'package.json')).resolve(name)
  const { default: chromium } = (await import(pathToFileURL(entry).href)) as {
    default: { executablePath: () => Promise<string> }
  }
  return await chromium.executablePath()
}
