import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { needsChromium } from './needs-chromium.ts'

needsChromium('the lists of software, checks and controls, through the whole frame of lists', () => {
  let app: App
  beforeAll(async () => {
    app = await openApp()
    await app.rollcall('demo', '--assets', '40')
  }, 240_000)
  afterAll(() => app?.close())

  test('a condition, facets, groups, an order, a view and a preview', { timeout: 180_000 }, async () => {
    const page = await app.enter('/software')
    const rows = () => page.getByRole('row').count()
    await page
      .getByRole('button', { name: /^\d+ with/ })
      .first()
      .waitFor()
    const all = await rows()

    await page.getByRole('columnheader', { name: 'Assets' }).getByRole('button').click()
    await page.waitForURL((url) => url.searchParams.get('sort') === 'installs')
    await page.locator('[role=columnheader][aria-sort=descending]').waitFor()

    await page.getByRole('button', { name: 'Filters' }).click()
    const vendors = page.getByRole('region', { name: 'Vendor' })
    await vendors.getByRole('button').first().click()
    await page.waitForURL((url) => /vendor/.test(url.searchParams.get('where') ?? ''))
    await expect.poll(rows).toBeLessThan(all)

    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Of one maker')
    await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('link', { name: 'All software' }).click()
    await expect.poll(rows).toBe(all)
    await page.getByRole('link', { name: 'Of one maker' }).click()
    await expect.poll(rows).toBeLessThan(all)

    await page.getByRole('link', { name: 'All software' }).click()
    await page.getByRole('combobox', { name: 'Group by' }).click()
    await page.getByRole('option', { name: 'Vendor' }).click()
    const first = page.getByRole('region', { name: 'Vendor' }).last().locator('tbody button').first()
    const vendor = await first.innerText()
    await first.click()
    await page.waitForURL((url) => (url.searchParams.get('where') ?? '').includes(vendor.split(' ')[0] ?? ''))
    await page
      .getByRole('button', { name: /^\d+ with/ })
      .first()
      .waitFor()

    await page.keyboard.press('j')
    await page.keyboard.press('p')
    const panel = page.getByRole('complementary').filter({ hasText: 'First seen' })
    await panel.getByRole('link', { name: 'As list of assets' }).waitFor()
    await panel.getByRole('table').getByRole('link').first().waitFor()
    expect(new URL(page.url()).searchParams.has('preview')).toBe(true)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
  })

  test(
    'checks and controls: the worst first, narrowed, and beside the list',
    { timeout: 180_000 },
    async () => {
      const page = await app.enter('/compliance/nist-csf-2.0')
      await page.getByRole('link', { name: /\d+ .*Warning$/ }).click()
      await page.waitForURL((url) => url.pathname.endsWith('/compliance/controls'))
      const controls = page.getByRole('table', { name: 'Controls' })
      await controls
        .getByText(/Warning$/)
        .first()
        .waitFor()
      await expect.poll(() => controls.getByText(/Pass$/).count()).toBe(0)
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      const panel = page.getByRole('complementary').filter({ hasText: 'Framework' })
      await panel.getByRole('link', { name: 'Open' }).waitFor()
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'detached' })

      await page.getByRole('link', { name: 'Checks', exact: true }).click()
      const checks = page.getByRole('table', { name: 'Checks' })
      await checks.getByRole('link').first().waitFor()
      await page.getByRole('combobox', { name: 'Group by' }).click()
      await page.getByRole('option', { name: 'Severity' }).click()
      await page.getByRole('button', { name: 'High', exact: true }).click()
      await page.waitForURL((url) => (url.searchParams.get('where') ?? '').includes('severity = high'))
      await checks.getByRole('link').first().waitFor()
    },
  )
})
