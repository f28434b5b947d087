/**
 * Scanners of others over every address that an example makes: sqlmap (what reaches the database) and wapiti (what reaches the page, a
 * file, a command or another site), as a visitor and as the first person of `dev`, or as those that are named, for so many minutes in
 * all. What they find is printed, and the exit code is 1. They come from the distribution: `apt-get install --no-install-recommends sqlmap wapiti`.
 *
 * `node scripts/run.mjs scripts/scan.ts loan-desk 5 Cleo Ben`
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { addressesOf, demoPeople, signInAs } from './addresses.ts'
import { served } from './served.ts'
import { findChromium } from './test-browser.ts'

/** A request with something in it that may be turned against us. */
interface Target {
  readonly url: string
  /** Of a POST, its form. */
  readonly form: string | null
}

interface Found {
  readonly where: string
  readonly what: string
}

const modules = ['sql', 'xss', 'permanentxss', 'exec', 'file', 'crlf', 'redirect']

/** Where one is somebody else afterwards, or at another time. */
const leaving = /^\/-\/(?:demo|sign-out|clock|dev\/)/

/** Queries that the pages at these addresses lead to, and forms that they send: one of each shape. */
async function targetsAt(page: Page, url: string, addresses: readonly string[]): Promise<readonly Target[]> {
  const shapes = new Map<string, Target>()
  const add = (target: string, form: string | null) => {
    const { origin, pathname, searchParams } = new URL(target, url)
    const names = [...new Set([...searchParams.keys(), ...new URLSearchParams(form ?? '').keys()])].toSorted()
    const shape = `${form === null ? 'GET' : 'POST'} ${pathname} ${names}`
    if (origin === url && names.length > 0 && !leaving.test(pathname) && !shapes.has(shape))
      shapes.set(shape, { url: target, form })
  }
  for (const address of addresses) {
    await page.goto(url + address)
    const found = await page.evaluate(() => ({
      links: [...document.links].map(({ href }) => href),
      forms: [...document.forms].map(form => ({
        action: form.action,
        isPost: form.method === 'post',
        pairs: new URLSearchParams(
          [...new FormData(form)].flatMap(([name, value]) =>
            typeof value === 'string' ? [[name, value || (name.startsWith('_') ? '' : '1')]] : [],
          ),
        ).toString(),
      })),
    }))
    for (const link of found.links) add(link, null)
    for (const { action, isPost, pairs } of found.forms)
      if (isPost) add(action, pairs)
      else add(`${action.split('?')[0]}?${pairs}`, null)
  }
  return [...shapes.values(), ...(await apiTargets(page, url))]
}

/** Every query of the API, as its own description names it. */
async function apiTargets(page: Page, url: string): Promise<readonly Target[]> {
  const answer = await page.request.get(`${url}/api/v1/openapi.json`)
  if (!answer.ok()) return []
  const { paths } = (await answer.json()) as {
    readonly paths: Readonly<
      Record<string, { readonly get?: { readonly parameters?: readonly { in: string; name: string }[] } }>
    >
  }
  return Object.entries(paths).flatMap(([path, { get }]) => {
    const names = (get?.parameters ?? []).flatMap(one => (one.in === 'query' ? one.name : []))
    const query = new URLSearchParams(names.map(name => [name, '1']))
    return names.length === 0 || path.includes('{') ? [] : { url: `${url}${path}?${query}`, form: null }
  })
}

const cookiesOf = async (context: BrowserContext): Promise<string> =>
  (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')

/** What it says. It runs for so long at most, behind everybody else. */
async function run(command: string, args: readonly string[], seconds: number): Promise<string> {
  const child = spawn('nice', ['timeout', String(seconds), command, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      said += text
    })
  await once(child, 'close')
  return said
}

async function bySqlmap(
  targets: readonly Target[],
  cookie: string,
  folder: string,
  seconds: number,
): Promise<readonly Found[]> {
  const log = join(folder, 'requests')
  writeFileSync(log, targets.map(target => logged(target, cookie)).join(''))
  // Without a terminal it would wait for addresses instead.
  const command = [
    'sqlmap',
    ...['-l', log, '--batch', '--level=2', '--risk=1', '--technique=BE', '--dbms=PostgreSQL', '--flush-session'],
    ...['--skip', '_csrf,_once,cookie,host,user-agent,referer,origin', "'--ignore-code=*'", '--ignore-redirects'],
    ...['--disable-coloring', `--output-dir=${folder}`],
  ]
  const said = await run('script', ['-qfec', command.join(' '), '/dev/null'], seconds)
  const tried = said.match(/parameter '[^']+' does not seem to be injectable/g) ?? []
  const begun = new Set(said.match(/^\[\d+\/\d+\] /gm)).size
  console.log(`  sqlmap: ${begun} of ${targets.length} requests, ${tried.length} parameters tried to the end`)
  return [...new Set(said.match(/\w+ parameter '[^']+' is (?:vulnerable|'[^']+' injectable)/g))].map(what => ({
    where: 'sqlmap',
    what,
  }))
}

/** As a proxy writes them down, which sqlmap reads: so one process does all. */
function logged({ url, form }: Target, cookie: string): string {
  const { origin, host, pathname, search } = new URL(url)
  const line = '='.repeat(54)
  const heads = [
    `${form === null ? 'GET' : 'POST'} ${pathname}${search} HTTP/1.1`,
    `Host: ${host}`,
    `Origin: ${origin}`,
    'Sec-Fetch-Site: same-origin',
    ...(cookie === '' ? [] : [`Cookie: ${cookie}`]),
    ...(form === null ? [] : ['Content-Type: application/x-www-form-urlencoded']),
  ]
  return `${line}\n12:00:00  ${origin}  [127.0.0.1]\n${line}\n${heads.join('\n')}\n\n${form ?? ''}\n${line}\n\n`
}

/**
 * What a crawler must not find on its way stays away from it: it would sign out, or in as somebody else. All else goes through, with the
 * cookie of whoever it comes as.
 */
async function around(
  url: string,
  cookie: string,
): Promise<{ readonly url: string; readonly asked: () => number; readonly end: () => void }> {
  const { hostname, port } = new URL(url)
  let asked = 0
  const server = createServer((from, to) => {
    if (leaving.test(from.url ?? '')) return void to.writeHead(404).end()
    asked++
    const headers = { ...from.headers, cookie, host: `${hostname}:${port}` }
    const through = request({ hostname, port, path: from.url, method: from.method, headers }, answer => {
      to.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(to)
    })
    through.on('error', () => to.destroy())
    from.pipe(through)
  })
  await new Promise<void>(listening => server.listen(0, hostname, listening))
  const { port: own } = server.address() as AddressInfo
  return {
    url: `http://${hostname}:${own}`,
    asked: () => asked,
    end: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function byWapiti(
  url: string,
  addresses: readonly string[],
  cookie: string,
  folder: string,
  seconds: number,
): Promise<readonly Found[]> {
  const report = join(folder, 'wapiti.json')
  const { url: through, asked, end } = await around(url, cookie)
  const starts = addresses.flatMap(address => ['-s', through + address])
  const [crawl, attack] = [Math.floor(seconds / 3), Math.floor((seconds * 2) / 3 / modules.length)]
  await run(
    'wapiti',
    [
      ...['-u', `${through}/`, ...starts, '-m', modules.join()],
      ...['--max-scan-time', String(crawl), '--max-attack-time', String(attack), '--flush-session', '--no-bugreport'],
      ...['-v', '0', '--store-session', folder, '-f', 'json', '-o', report],
    ],
    3 * seconds,
  )
  end()
  const { vulnerabilities } = JSON.parse(readFileSync(report, 'utf8')) as {
    readonly vulnerabilities: Readonly<Record<string, readonly { method: string; path: string; info: string }[]>>
  }
  console.log(`  wapiti: ${asked()} requests, ${modules.length} kinds of attack`)
  return Object.entries(vulnerabilities).flatMap(([kind, all]) =>
    all.map(({ method, path, info }) => ({ where: `${method} ${path}`, what: `${kind}: ${info}` })),
  )
}

const [example = 'loan-desk', minutes = '5', ...people] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'ninefold-scan-'))
const { url, stop } = await served(example, join(folder, example))
const browser = await chromium.launch({ executablePath: await findChromium(), args: ['--headless', '--no-sandbox'] })
const [first] = await demoPeople(await browser.newPage(), url)
const visitors = [null, ...(people.length > 0 ? people : [first!])]
const share = (Number(minutes) * 60) / visitors.length / 2
const found: Found[] = []
for (const person of visitors) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(url)
  if (person !== null) await signInAs(page, url, person)
  const addresses = [...new Set([...(await addressesOf(page, url)), '/-/sign-in', '/-/password'])]
  const cookie = await cookiesOf(context)
  const targets = await targetsAt(page, url, addresses)
  console.log(`${example}, ${person?.trim() ?? 'a visitor'}: ${addresses.length} addresses, ${targets.length} requests`)
  found.push(...(await bySqlmap(targets, cookie, folder, share)))
  found.push(...(await byWapiti(url, addresses, cookie, folder, share)))
  await context.close()
}
for (const { where, what } of found) console.log(`${where}\n  ${what}`)
console.log(`${found.length} found`)
await browser.close()
stop()
rmSync(folder, { recursive: true, force: true })
process.exit(found.length === 0 ? 0 : 1)
