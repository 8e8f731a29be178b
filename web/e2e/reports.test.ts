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
      await page.getByRole('textbox', { name: 'Name' }).fill('Inventory of Müller & Söhne')
      const preview = page.getByRole('region', { name: 'Preview' })
      await preview.getByText('of all assets.').waitFor()
      await preview.getByRole('heading', { name: 'Inventory of Müller & Söhne' }).waitFor()
      await preview.getByText('By operating system').waitFor()
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
    'issue 13: a report of assets by condition waits for its schedule, and its file is proved',
    { timeout: 120_000 },
    async () => {
      const page = await app.enter('/reports')
      await page.getByRole('button', { name: 'New report' }).first().click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Devices')
      const condition = page.getByRole('combobox', { name: 'Only assets where' })
      await condition.fill('type = device')
      await condition.press('Enter')
      await page.getByText(/assets where type = device/).waitFor()
      await page.locator('input[value="Now"]').click()
      await page.getByRole('option', { name: 'When its schedule says' }).click()
      await page.getByText(/^Next: /).waitFor()
      await page.getByRole('button', { name: 'Create report' }).click()
      await page.getByText('Not run yet').waitFor()
      await page.getByRole('button', { name: 'Generate again' }).click()
      await page.getByRole('link', { name: 'Download PDF' }).waitFor()
      const [proof] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: /^Download the proof/ }).click(),
      ])
      expect(JSON.parse(await readFile(await proof.path(), 'utf8'))).toMatchObject({
        kind: 'report',
        document: { name: 'Devices' },
      })
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

  test(
    'issue 13: a custom report has chosen columns; software is forbidden by a list',
    { timeout: 120_000 },
    async () => {
      const page = await app.enter('/reports')
      await page.getByRole('button', { name: 'New report' }).first().click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Memory by system')
      const choose = async (label: string, ...options: readonly string[]) => {
        const field = page.getByRole('combobox', { name: label, exact: true })
        await field.click()
        for (const option of options) await page.getByRole('option', { name: option, exact: true }).click()
        await field.press('Tab')
      }
      await choose('Type', 'Custom table')
      await choose('Columns', 'Name', 'OS', 'Memory (GiB)')
      await choose('Grouped by', 'OS')
      await choose('Sorted by', 'Memory (GiB), the greatest first')
      const preview = page.getByRole('region', { name: 'Preview' })
      await expect
        .poll(() => preview.getByRole('columnheader').allTextContents(), { timeout: 10_000 })
        .toEqual(['Name', 'OS', 'Memory (GiB)'])
      await page.getByRole('button', { name: 'Create report' }).click()
      await page.getByRole('heading', { name: 'Memory by system', level: 1 }).waitFor()
      await page.getByRole('link', { name: 'Download PDF' }).waitFor()

      await page.getByRole('navigation').first().getByRole('link', { name: 'Software', exact: true }).click()
      await page.getByRole('link', { name: 'Forbidden and allowed' }).click()
      await page.getByRole('button', { name: 'Add to forbidden' }).click()
      await page.getByLabel('Name').fill('openss*')
      await page.getByLabel('Why').fill('Replaced')
      await page.getByRole('button', { name: 'Add', exact: true }).last().click()
      const forbidden = page.getByRole('region', { name: 'Forbidden software' })
      await forbidden.getByText('openss*').waitFor()
      await page.getByRole('button', { name: 'Actions for openss*' }).click()
      await page.getByRole('menuitem', { name: 'Remove' }).click()
      await page.getByRole('button', { name: 'Remove', exact: true }).click()
      await forbidden.getByText('openss*').waitFor({ state: 'detached' })
      await page.close()
    },
  )
})
