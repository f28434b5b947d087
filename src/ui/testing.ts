/** For tests in Chromium: the browser, and what axe finds on a page. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { inject } from 'vitest'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The browser that all tests share, by a connection of one's own: what is opened in it is seen by nobody else, and closed with it. */
export const connectChromium = (): Promise<Browser> => chromium.connect(inject('chromium'))

const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** What depends on colours and on the size of the window, on a page of which the rest was looked at. */
export const rulesOfLooks = ['color-contrast', 'target-size', 'scrollable-region-focusable', 'meta-viewport']

/** Every place that breaks a rule of accessibility, with the page and the rule. `rules`: tags of axe, or names of rules. */
export async function findings(page: Page, rules = everyRule): Promise<readonly string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe)
  // From its beginning: further down, what passes under the bar that stays counts as too close to the bar's links.
  await page.evaluate(() => window.scrollTo(0, 0))
  // Only violations are wanted: describing every element that keeps a rule takes several times as long as looking for those.
  const violations = (await page.evaluate(`axe.run(document, {
    runOnly: ${JSON.stringify(rules)},
    resultTypes: ['violations'],
  }).then(found => found.violations)`)) as AxeResults['violations']
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(node => `${page.url()} ${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`),
  )
}
