import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { openApp, type App } from './app.ts'
import { needsChromium } from './needs-chromium.ts'

/** More than there are: further up than the first place there is nothing. */
const TILES_MAX = 15

needsChromium('the overview', () => {
  let app: App
  beforeAll(async () => {
    app = await openApp()
    const hosts = Array.from({ length: 20 }, (_, n) => `srv-${n},10.0.0.${n + 1},SN-${n}-7,Debian 12`)
    await app.rollcall(
      'import',
      await app.file('hosts.csv', ['name,ipAddress,serial,os', ...hosts].join('\n')),
    )
  }, 240_000)
  afterAll(() => app?.close())

  test('what is new, how well it is known, and where each number leads', { timeout: 180_000 }, async () => {
    const page = await app.enter('/')
    const since = page.getByRole('region', { name: 'Since yesterday' })
    await since.getByRole('listitem').filter({ hasText: 'New assets' }).getByText('20').waitFor()
    await page
      .getByRole('region', { name: 'Trends' })
      .getByText(/Counted every night/)
      .waitFor()
    const coverage = page.getByRole('region', { name: 'Coverage' })
    await coverage.getByText('of 20 machines').waitFor()
    await coverage.getByRole('listitem').filter({ hasText: 'Seen from outside' }).getByText('20').waitFor()
    await coverage.getByRole('link', { name: 'Without an owner' }).click()
    await page.getByRole('link', { name: 'srv-19' }).waitFor()
    await page.goBack()
    await since.getByRole('link', { name: 'New assets' }).click()
    const changed = page.getByRole('button', { name: /20 changes/ })
    await changed.waitFor()
    await expect.poll(() => changed.count()).toBe(1)
  })

  test(
    'each person arranges it by keyboard, for good, and for nobody else',
    { timeout: 180_000 },
    async () => {
      const page = await app.enter('/')
      const usual = await titlesOf(page)
      await page.getByRole('button', { name: 'Arrange' }).press('Enter')
      const up = page.getByRole('button', { name: 'Coverage up' })
      await up.focus()
      for (let row = 0; row < TILES_MAX; row += 1) await page.keyboard.press('Alt+ArrowUp')
      await page
        .getByRole('dialog')
        .getByRole('listitem')
        .first()
        .getByRole('checkbox', { name: 'Coverage' })
        .waitFor()
      const stored = page.waitForResponse((it) =>
        Boolean(it.request().postData()?.includes('"hidden":["newest"]')),
      )
      await page.getByRole('checkbox', { name: 'Newest assets' }).press('Space')
      await stored
      await page.getByRole('dialog').getByText('Saved', { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      const own = ['Coverage', ...usual.filter((it) => it !== 'Coverage' && it !== 'Newest assets')]
      await expect.poll(() => titlesOf(page)).toEqual(own)
      await page.reload()
      await expect.poll(() => titlesOf(page)).toEqual(own)

      const ann = await app.invite('ann@example.org', 'admin')
      const others = await app.enter('/', { as: ann })
      await expect.poll(() => titlesOf(others)).toEqual(usual)
      await page.getByRole('button', { name: 'Arrange' }).click()
      await page.getByRole('button', { name: 'As it comes' }).click()
      await page.keyboard.press('Escape')
      await expect.poll(() => titlesOf(page)).toEqual(usual)
    },
  )
})

async function titlesOf(page: Page): Promise<string[]> {
  await page.getByRole('heading', { level: 2, name: 'Coverage' }).waitFor()
  await page.locator('main [data-loading]').first().waitFor({ state: 'detached' })
  return page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts()
}
