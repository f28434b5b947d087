/** Where somebody who is signed in can go: for the pictures of screens, and for the tests that look at all of them. */
import type { Page } from 'playwright-core'

/** The people of `dev`, as the sign-in page lists them. */
export async function demoPeople(page: Page, url: string): Promise<readonly string[]> {
  await page.goto(`${url}/-/sign-in`)
  return page.locator('.dev form [name=person]').evaluateAll(all => all.map(one => one.textContent ?? ''))
}

/** Signs in as a person of `dev`. */
export async function signInAs(page: Page, url: string, person: string): Promise<void> {
  await page.goto(`${url}/-/sign-in`)
  await page.locator('.dev form [name=person]', { hasText: person }).first().click()
  await page.locator('.me', { hasText: person }).waitFor({ state: 'attached' })
}

/** The pages that whoever is signed in can go to, records, forms and steps among them. */
export async function addressesOf(page: Page, url: string): Promise<readonly string[]> {
  await page.goto(url)
  const hrefs = (selector: string) =>
    page.locator(selector).evaluateAll(links => links.map(link => new URL((link as HTMLAnchorElement).href).pathname))
  const found = new Set([new URL(page.url()).pathname, ...(await hrefs('.nav a'))])
  for (const list of [...found].filter(path => !path.startsWith('/-/'))) {
    await page.goto(url + list)
    const [record] = await hrefs('main table a.ttl, main .card a, main .rows a')
    const [form] = await hrefs('main a[href$="/new"]')
    if (form !== undefined) found.add(form)
    if (record === undefined || found.has(record)) continue
    found.add(record)
    await page.goto(url + record)
    const [edit] = await hrefs('main a[href$="/edit"]')
    const [step] = await hrefs('main a[href*="/do/"]')
    const [why] = await page
      .locator('main a[href^="/-/why"]')
      .evaluateAll(links => links.map(link => link.getAttribute('href')))
    for (const one of [edit, step, why]) if (one != null) found.add(one)
  }
  return [...found, '/-/account', '/-/search?q=a', '/nowhere']
}
