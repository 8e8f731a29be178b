import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { needsChromium } from './needs-chromium.ts'

needsChromium('lists of runs and reports', () => {
  let app: App
  beforeAll(async () => {
    app = await openApp()
    await app.rollcall('demo', '--assets', '40')
  }, 300_000)
  afterAll(() => app?.close())

  test(
    'issue 17: reports are asked, counted, sorted, looked at and kept as a view',
    { timeout: 180_000 },
    async () => {
      const page = await app.enter('/reports')
      for (const name of ['Stock-take', 'Budget of Oslo']) {
        await page.getByRole('button', { name: 'New report' }).first().click()
        await page.getByRole('textbox', { name: 'Name' }).fill(name)
        await page.getByRole('button', { name: 'Create report' }).click()
        await page.getByRole('heading', { name, level: 1 }).waitFor()
        await page.goto(`${app.address}/reports`)
      }
      const names = () => page.getByRole('row').getByRole('link').allInnerTexts()
      await expect.poll(names).toContain('Stock-take')
      await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
      await page.waitForURL(/sort=name/)
      await expect
        .poll(async () => (await names()).filter((it) => /Stock|Oslo/.test(it)))
        .toEqual(['Budget of Oslo', 'Stock-take'])
      await page.keyboard.press('j')
      await page.keyboard.press('p')
      await page.getByRole('complementary').getByText('Budget of Oslo').first().waitFor()
      await page.waitForURL(/preview=/)
      await page.keyboard.press('Escape')
      const box = page.getByRole('combobox', { name: 'Search reports' })
      await box.fill('name : stock')
      await box.press('Enter')
      await page.waitForURL(/where=/)
      await expect.poll(async () => (await names()).includes('Budget of Oslo')).toBe(false)
      await page.getByRole('button', { name: 'Save view' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Stock')
      await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
      await page.getByRole('link', { name: 'Stock', exact: true }).waitFor()
      await page.getByRole('link', { name: 'All reports' }).click()
      await expect.poll(names).toContain('Budget of Oslo')
    },
  )

  test(
    'lists of runs and scans that are empty say what to do next, and fit a phone',
    { timeout: 120_000 },
    async () => {
      const page = await app.enter('/flows/runs')
      await page.getByRole('heading', { name: 'Runs of flows' }).waitFor()
      for (const path of ['/scans/all', '/discoveries/runs', '/flows/runs']) {
        await page.setViewportSize({ width: 390, height: 844 })
        await page.goto(`${app.address}${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.getByRole('combobox', { name: /^Search/ }).waitFor()
        const wider = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        )
        expect([path, wider]).toEqual([path, 0])
      }
    },
  )
})
