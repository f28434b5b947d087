/**
 * Files and links in Chromium: chosen, refused in place, kept, seen again. Chromium cannot be given a file where scripts are off;
 * forms without scripts are in files.db.test.ts.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSound } from '../run/testing.ts'
import {
  button,
  complaints,
  findings,
  go,
  live,
  open,
  phone,
  picture,
  startBrowsing,
  stopBrowsing,
} from './browsing.ts'
import { mebibyte, pdf, png } from './fixtures/contents.ts'

beforeAll(async () => {
  await startBrowsing(readSound(join(import.meta.dirname, 'fixtures/desk-with-files.md')))
})

afterAll(stopBrowsing)

const named = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/jpeg', buffer })

test('a photograph is chosen, refused where it does not fit, and kept', async () => {
  const { page, context } = await open('Cleo', {})
  const tag = 'TAG-1'
  await go(page, '/items/new')
  await live(page)
  await page.getByLabel('Tag').fill(tag)
  await page.getByLabel('Photo').setInputFiles(named('large.png', Buffer.concat([png, Buffer.alloc(6 * mebibyte)])))
  await button(page, 'Create item').click()
  await page.getByRole('alert').getByText('Photo must be a file of at most 5 MB').waitFor()
  await page.getByLabel('Photo').setInputFiles(named('photo.jpg', pdf))
  await button(page, 'Create item').click()
  await page.getByRole('alert').getByText('this one is PDF').waitFor()
  expect(await page.getByLabel('Tag').inputValue()).toBe(tag)
  await live(page)

  await page.getByLabel('Tag').fill('')
  await page.getByLabel('Photo').setInputFiles(named('camera.png', png))
  // The script would hold back what it knows to be wrong; the server has to be asked.
  await page.locator('form[enctype]').evaluate(form => (form as HTMLFormElement).submit())
  await page.getByRole('alert').getByText('Tag is missing').waitFor()
  await page.locator('.kept', { hasText: 'camera.png' }).waitFor()
  await live(page)
  expect(await findings(page)).toEqual([])
  await page.getByLabel('Tag').fill(tag)
  await page
    .getByRole('group', { name: /Helpers/ })
    .getByLabel('Ben')
    .check()
  await button(page, 'Create item').click()
  await page.waitForURL(`**/items/${tag}`)
  const image = page.getByRole('img', { name: 'camera.png' })
  expect(await image.evaluate(element => (element as HTMLImageElement).naturalWidth)).toBe(1)
  await page.getByText('Ben', { exact: true }).first().waitFor()
  expect(await findings(page)).toEqual([])
  await picture(page, 'files-one')

  // On paper: no chrome, and the page itself as a document that belongs to the record.
  const paper = await page.pdf({ format: 'A4' })
  await page.emulateMedia({ media: 'print' })
  for (const hidden of ['.side', '.acts', '#activity'])
    expect(await page.locator(hidden).first().isVisible(), hidden).toBe(false)
  expect(await page.getByRole('heading', { level: 1, name: tag }).isVisible()).toBe(true)
  await picture(page, 'files-paper')
  await page.emulateMedia({ media: null })
  // Chosen before the script is there: sent ahead all the same once it is.
  const chosen = Promise.withResolvers<void>()
  await page.route(/\/-\/assets\/.*\.js$/, async route => {
    await chosen.promise
    await route.continue()
  })
  await go(page, `/items/${tag}/edit`, 'commit')
  await page.getByLabel('Manual').setInputFiles({ name: 'paper.pdf', mimeType: 'application/pdf', buffer: paper })
  chosen.resolve()
  await page.locator('.kept', { hasText: 'paper.pdf' }).waitFor()
  await button(page, 'Save').click()
  await page.waitForURL(`**/items/${tag}`)
  await page.getByText('Preview').click()
  await page.locator('iframe').scrollIntoViewIfNeeded()
  await page.frameLocator('iframe').locator('body').waitFor({ state: 'attached' })
  await picture(page, 'files-preview')
  expect(await findings(page)).toEqual([])

  await go(page, `/items/${tag}/edit`)
  await live(page)
  expect(
    await page
      .getByRole('group', { name: /Helpers/ })
      .getByLabel('Ben')
      .isChecked(),
  ).toBe(true)
  await picture(page, 'files-edit')
  await page.getByLabel('Take the file away').first().check()
  await page
    .getByRole('group', { name: /Helpers/ })
    .getByLabel('Ben')
    .uncheck()
  await button(page, 'Save').click()
  await page.waitForURL(`**/items/${tag}`)
  expect(await page.getByRole('img', { name: 'camera.png' }).count()).toBe(0)
  expect(complaints).toEqual([])
  await context.close()
})

test('a phone in the dark shows the form with its file without a sideways scroll', async () => {
  const { page, context } = await open('Cleo', { viewport: phone, colorScheme: 'dark' })
  await go(page, '/items/new')
  await page.getByLabel('Tag').fill('DARK')
  await page.getByLabel('Photo').setInputFiles(named('dark.png', png))
  await button(page, 'Create item').click()
  await page.waitForURL('**/items/DARK')
  await go(page, '/items/DARK/edit')
  expect(await findings(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phone.width)
  await picture(page, 'files-phone-dark')
  await context.close()
})
