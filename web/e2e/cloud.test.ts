import type { Page } from 'playwright-core'
import { expect, test, afterAll, beforeAll } from 'vitest'
import {
  AZURE_SECRET,
  azureValues,
  startAzure,
} from '../../server/test/support/cloud-providers/azure-replay.ts'
import { openApp, type App } from './app.ts'
import { needsChromium } from './needs-chromium.ts'

needsChromium('clouds', () => {
  let app: App

  beforeAll(async () => {
    app = await openApp({ WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8' })
  }, 120_000)
  afterAll(() => app?.close())

  test('a connection is tested, saved and read; its coverage says what was never read; resources are filtered', async () => {
    const azure = await startAzure(3)
    const { clientSecret: _, ...values } = azureValues(azure)
    const page = await app.enter('/cloud-connections')
    await page.getByRole('button', { name: 'New connection' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New connection' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Directory')
    await dialog.getByRole('combobox', { name: 'Provider' }).click()
    await page.getByRole('option', { name: 'Azure' }).click()
    // without a secret: this server's address is not public, which is said before anything is tried
    await dialog.getByText('is not a public address with HTTPS').waitFor()
    await dialog.getByText('What to set up at Azure first').click()
    await dialog.getByText(/"subject": "tenant:[0-9a-f-]+:connection:[0-9a-f-]+"/).waitFor()
    await dialog.getByRole('combobox', { name: 'Way of signing in' }).click()
    await page.getByRole('option', { name: 'Client secret' }).click()
    await dialog.getByLabel('Directory (tenant) ID').fill(values.directory)
    await dialog.getByLabel('Application (client) ID').fill(values.clientId)
    await dialog.getByLabel('Sign-in address').fill(values.loginAddress)
    await dialog.getByLabel('Resource Manager address').fill(values.apiAddress)
    await dialog.getByLabel('Client secret').last().fill('wrong')
    await dialog.getByRole('button', { name: 'Test and connect' }).click()
    await dialog.getByText('AADSTS7000215').first().waitFor()
    expect(await app.rollcall('cloud', 'list')).toEqual([])
    await dialog.getByLabel('Client secret').last().fill(AZURE_SECRET)
    await dialog.getByRole('button', { name: 'Test and connect' }).click()
    await dialog.waitFor({ state: 'hidden' })

    const coverage = page.getByRole('region', { name: 'Coverage of Directory' })
    await page.getByText('10 of 15 parts read to the end').waitFor({ timeout: 60_000 })
    await coverage.getByText('Complete').nth(9).waitFor()
    await expect.poll(() => coverage.getByText('Never').count()).toBe(5)
    await coverage
      .getByText(/^no access/)
      .first()
      .waitFor()

    await page.goto(`${page.url().replace(/cloud-connections.*/, 'cloud')}?kind=compute`)
    const resources = page.getByRole('table', { name: 'Cloud resources' })
    await resources.getByText('vm0').waitFor()
    await expect.poll(() => resources.getByText('sto1').count()).toBe(0)
    await page.getByRole('combobox', { name: 'Search the cloud resources' }).fill('vm1')
    await resources.getByText('vm0').waitFor({ state: 'detached' })
    await resources.getByText('vm1').waitFor()

    await page.getByRole('link', { name: 'All resources' }).click()
    await resources.getByText('sto1').first().waitFor()
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
    await page.waitForURL((url) => url.searchParams.get('direction') === 'desc')
    await expect.poll(() => firstName(page)).toBe('vmss1000000')
    await page.getByRole('button', { name: 'Filters' }).click()
    await page
      .getByRole('region', { name: 'Tag' })
      .getByRole('button', { name: /env:prod/ })
      .click()
    await page.waitForURL((url) => /^tag .*env:prod/.test(url.searchParams.get('where') ?? ''))
    await expect.poll(() => firstName(page)).toBe('vm2')
    await page.keyboard.press('j')
    await page.keyboard.press('p')
    const preview = page.getByRole('complementary', { name: 'vm2' })
    await preview.getByText('Directory').waitFor()
    await preview.getByRole('link', { name: 'Open' }).waitFor()
  }, 180_000)

  test.each(['/cloud-connections', '/cloud'])('%s fits a phone of 360 pixels', async (path) => {
    const page = await app.enter(path, { width: 360 })
    await page.getByRole('table').first().waitFor()
    expect(await page.locator('html').evaluate((it) => it.scrollWidth)).toBeLessThanOrEqual(360)
  })
})

const firstName = (page: Page): Promise<string> =>
  page
    .getByRole('table', { name: 'Cloud resources' })
    .getByRole('row')
    .nth(1)
    .getByRole('cell')
    .first()
    .innerText()
