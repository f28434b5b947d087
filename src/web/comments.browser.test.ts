/** Comments and notifications in Chromium: without and with scripts, on a desktop and on a phone. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loanDesk, readSound } from '../run/testing.ts'
import {
  complaints,
  desktop,
  findings,
  go,
  loan,
  open,
  phone,
  picture,
  signedIn,
  startBrowsing,
  stopBrowsing,
} from './browsing.ts'
import { png } from './fixtures/contents.ts'

beforeAll(async () => {
  await startBrowsing(readSound(loanDesk))
})

afterAll(stopBrowsing)

test.each([
  { scripts: false, viewport: desktop, colorScheme: 'light' },
  { scripts: true, viewport: phone, colorScheme: 'dark' },
] as const)('a comment is written, changed, found and taken back; scripts: $scripts', async look => {
  const number = await loan('Ben')
  const { page: ben, context } = await open('Ben', look)
  await go(ben, `/loans/${number}`)
  const comment = ben.getByLabel('Comment', { exact: true }).first()
  if (look.scripts) {
    await comment.pressSequentially('Is the lens in, @cl')
    await ben.getByRole('option', { name: 'Cleo' }).waitFor()
    expect(await findings(ben)).toEqual([])
    await picture(ben, 'mention')
    await ben.keyboard.press('Enter')
    expect(await comment.inputValue()).toBe('Is the lens in, @Cleo ')
  } else await comment.fill('Is the lens in, @Cleo?')
  await ben.getByRole('button', { name: 'Add comment' }).click()
  await ben.getByText('Comment added.').waitFor()
  await ben.getByText('Change comment').click()
  await ben.locator('.own textarea').fill('Is the case in, @Cleo?')
  await ben.locator('.own').getByRole('button', { name: 'Save' }).click()
  await ben.getByText('Comment changed.').waitFor()
  await picture(ben, `comment-${look.viewport.width}`)

  const cleo = await open('Cleo', look)
  await go(cleo.page, '/-/notices')
  await picture(cleo.page, `notices-${look.viewport.width}`)
  expect(await cleo.page.locator('.notices').textContent()).toContain('Is the case in')
  await cleo.page.getByRole('link', { name: `Ben · ${number}` }).click()
  await cleo.page.waitForURL(`**/loans/${number}#activity`)
  // What scripts can evaluate is what axe needs.
  for (const page of look.scripts ? [ben, cleo.page] : []) {
    expect(await findings(page)).toEqual([])
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
  }
  if (look.scripts) {
    await go(cleo.page, '/-/notices')
    expect(await findings(cleo.page)).toEqual([])
  }
  await ben.getByRole('button', { name: 'Take back' }).first().click()
  await ben.getByText('took a comment back').waitFor()
  await picture(ben, `comment-gone-${look.viewport.width}`)
  if (look.scripts) await ben.keyboard.press('z')
  else await ben.getByRole('button', { name: 'Undo' }).click()
  await ben.getByText('Undone.', { exact: true }).waitFor()
  expect(await ben.locator('.said').textContent()).toContain('Is the case in, @Cleo?')
  await context.close()
  await cleo.context.close()
  expect(complaints).toEqual([])
})

test.each([
  { scripts: true, viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { scripts: true, viewport: phone, colorScheme: 'dark' },
  { scripts: false, viewport: desktop, colorScheme: 'light' },
] as const)('notifications have a page for each of their kinds; scripts: $scripts, $viewport.width', async look => {
  const number = await loan('Ben')
  const ben = await signedIn('Ben')
  const { id } = JSON.parse((await ben.get(`/api/v1/loan?number=${number}`)).text).data[0]
  await ben.send('/-/comments', { entity: 'loan', record: id, do: 'add', text: 'Is it in, @Cleo?' })
  const { page, context } = await open('Cleo', look)
  await go(page, '/-/notices')
  if (!look.scripts) await page.getByRole('link', { name: 'Mentions' }).click()
  else if (look.viewport !== phone) await page.keyboard.press('3')
  else {
    await page.locator('.views').getByRole('button', { name: 'All' }).click()
    await page.locator('.views :popover-open').getByRole('link', { name: 'Mentions' }).click()
  }
  await page.waitForURL('**/-/notices?show=mentions')
  expect(await page.locator('.notices').textContent()).toContain('mentioned you')
  if (look.scripts) {
    expect(await findings(page)).toEqual([])
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
  }
  await picture(page, `notices-of-kind-${look.viewport.width}`)
  await context.close()
})

test.each([
  { scripts: true, viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { scripts: true, viewport: phone, colorScheme: 'dark' },
  { scripts: false, viewport: phone, colorScheme: 'light' },
] as const)(
  'a thread is replied in by keyboard, and what is older in it is unfolded; scripts: $scripts, $viewport.width',
  async look => {
    const number = await loan('Ben')
    const [ben, cleo] = [await signedIn('Ben'), await signedIn('Cleo')]
    const { id } = JSON.parse((await ben.get(`/api/v1/loan?number=${number}`)).text).data[0]
    const say = (who: typeof ben, fields: Record<string, string>) =>
      who.send('/-/comments', { entity: 'loan', record: id, do: 'add', ...fields })
    await say(cleo, { text: 'Is the lens in?' })
    const [root] = JSON.parse((await ben.get(`/api/v1/loan/${id}/comments`)).text).data
    for (const text of ['One moment.', 'It should be.', 'I have looked on the upper shelf and below it.'])
      await say(ben, { text, reply_to: root.id })
    const { page, context } = await open('Cleo', look)
    await go(page, `/loans/${number}`)
    const thread = page.locator('.tl > li', { hasText: 'Is the lens in?' })
    expect(await thread.getByText('One moment.').isVisible()).toBe(false)
    await thread.getByText('1 earlier reply').focus()
    await page.keyboard.press('Enter')
    await thread.getByText('One moment.').waitFor()
    await thread.locator('summary', { hasText: /^Reply$/ }).focus()
    await page.keyboard.press('Enter')
    const box = thread.getByLabel('Reply', { exact: true })
    await box.focus()
    await page.keyboard.type('Thank you!')
    await thread.getByLabel('Attachments').setInputFiles({ name: 'Shelf.png', mimeType: 'image/png', buffer: png })
    if (look.scripts) {
      expect(await findings(page)).toEqual([])
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(overflow).toBeLessThanOrEqual(0)
    }
    await picture(page, `thread-${look.viewport.width}-${look.scripts}`)
    await box.focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Reply added.').waitFor()
    expect(await thread.locator('.letter').last().textContent()).toBe('Thank you!')
    expect(await thread.getByRole('link', { name: 'Shelf.png' }).getAttribute('href')).toMatch(/^\/-\/comment-files\//)
    await picture(page, `comment-file-${look.viewport.width}-${look.scripts}`)
    await context.close()
  },
)
