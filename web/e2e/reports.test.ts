import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { needsChromium } from './needs-chromium.ts'

needsChromium('reports', () => {
  let app: App
  beforeAll(async () => {
    app = await openApp()
    await app.rollcall('demo', '--assets', '40')
  }, 300_000)
  afterAll(() => app?.close())

  test(
    'issue 13: a report is made, generated, downloaded, generated again and deleted',
    { timeout: 120_000 },
    async () => {
      const page = await app.enter('/reports')
      await page.getByText('No report is saved yet').waitFor()
      await page.getByRole('button', { name: 'New report' }).first().click()
      await page.getByLabel('Name').fill('Inventory of Müller & Söhne')
      await page.getByRole('region', { name: 'Preview' }).getByText('of all assets.').waitFor()
      await page.getByRole('button', { name: 'Create report' }).click()
      await page.getByRole('heading', { name: 'Inventory of Müller & Söhne', level: 1 }).waitFor()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download PDF' }).click(),
      ])
      expect(download.suggestedFilename()).toMatch(/^report-[0-9a-f-]{36}-\d{8}T\d{6}Z\.pdf$/)
      expect((await readFile(await download.path())).subarray(0, 8).toString()).toBe('%PDF-1.7')
      await page.getByRole('button', { name: 'Generate again' }).click()
      await page.getByRole('region', { name: 'Generations' }).getByRole('row').nth(2).waitFor()
      await page.getByRole('link', { name: 'Download PDF' }).waitFor()
      await page.getByText(/0 added, 0 gone, 0 changed, \d+ as before/).waitFor()
      await page.getByRole('button', { name: 'Schedule' }).click()
      await page.getByLabel('Time zone').fill('Europe/Berlin')
      await page.getByRole('button', { name: 'Save schedule' }).click()
      await page.getByText('Every Monday at 06:00, Europe/Berlin.').waitFor()
      await page.getByRole('navigation').first().getByRole('link', { name: 'Reports' }).click()
      await page.getByRole('link', { name: /^Download Inventory/ }).waitFor()
      await page.getByRole('link', { name: 'Inventory of Müller & Söhne', exact: true }).click()
      await page.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('button', { name: 'Delete report' }).click()
      await page.getByText('No report is saved yet').waitFor()
      await page.close()
    },
  )

  test(
    'issue 13: a replacement is simulated, shown before and after, and saved as a report',
    { timeout: 120_000 },
    async () => {
      const page = await app.enter('/simulation')
      await page.getByText('Replace', { exact: true }).click()
      await page.getByRole('button', { name: 'Work it out' }).click()
      await page.getByText('Say by when.').waitFor()
      await page.getByLabel('By').fill('2027-06-30')
      await page.getByRole('button', { name: 'Work it out' }).click()
      await page.getByRole('region', { name: 'Replace the assets by 2027-06-30' }).waitFor()
      const table = page.getByRole('region', { name: 'Before and after' }).last()
      await table.getByRole('row', { name: /^Assets \d+ \d+ 0/ }).waitFor()
      // nothing is known of devices that nobody has seen yet
      await table.getByRole('row', { name: /^Risk.* not known/ }).waitFor()
      expect(new URL(page.url()).searchParams.get('by')).toBe('2027-06-30')
      await page.getByRole('button', { name: 'Save as report' }).click()
      await page.getByRole('button', { name: 'Save report' }).click()
      await page.getByRole('heading', { name: 'Replace the assets by 2027-06-30', level: 1 }).waitFor()
      await page.getByRole('link', { name: 'Download PDF' }).waitFor()
      await page.close()
    },
  )
})
