import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { needsChromium } from './needs-chromium.ts'

needsChromium('issue 9: what nobody looked into', () => {
  let app: App
  let page: Page
  beforeAll(async () => {
    app = await openApp()
    const list = await app.file(
      'hosts.csv',
      'hostname,macAddress,ipAddress\nlobby,3C:52:82:6A:01:5F,10.20.0.31\n',
    )
    await app.rollcall('import', list)
    page = await app.enter('/')
  }, 180_000)
  afterAll(() => app?.close())

  test('is not counted as free of vulnerabilities on the overview', async () => {
    const figures = page.getByRole('list', { name: 'Open findings by severity' })
    await figures.getByText('not assessed').first().waitFor()
    expect(await figures.innerText()).not.toMatch(/\b0\b/)
    await page.getByText('Not assessed: no advisories are loaded').waitFor()
  })

  test('is told in the list, on the asset and among the findings', async () => {
    await page.getByRole('link', { name: 'Assets', exact: true }).first().click()
    const table = page.getByRole('table', { name: 'Assets' })
    await table.getByText('Not assessed').waitFor()
    await table.getByRole('link', { name: 'lobby' }).click()
    await page.getByText('No source lists what is installed here').waitFor()
    await expect.poll(() => page.getByText('of 100, from').count()).toBe(0)
    await page.getByRole('link', { name: 'Findings', exact: true }).click()
    await page.getByText('Not assessed', { exact: true }).waitFor()
    await page.getByText('No source lists what is installed here').waitFor()
    await expect.poll(() => page.getByText(/No open finding|No finding fits/).count()).toBe(0)
    await page.getByRole('link', { name: 'Vulnerabilities', exact: true }).click()
    await page.getByText('Not assessed yet').waitFor()
    await expect.poll(() => page.getByText('No open finding').count()).toBe(0)
  })
})
