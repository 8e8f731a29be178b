import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { needsChromium } from './needs-chromium.ts'

needsChromium('imports', () => {
  let app: App
  beforeAll(async () => {
    app = await openApp()
  }, 120_000)
  afterAll(() => app?.close())

  test(
    'issue 9: a list of a spreadsheet is mapped, imported, and listed with what came of it',
    { timeout: 120_000 },
    async () => {
      const page = await app.enter('/imports')
      const list = Buffer.from('Gerät;IP-Adresse;Farbe\nBüro-PC;10.0.0.1;4711\nkaputt;nirgends;1\n', 'latin1')
      await page.setInputFiles('input[type=file]', { name: 'Büro.csv', mimeType: 'text/csv', buffer: list })
      await page.getByText('1 row to import').waitFor()
      await expect.poll(() => page.getByText('Büro-PC').count()).toBe(1)
      await page.getByLabel('Column Gerät is').selectOption('name')
      const start = page.getByRole('button', { name: 'Import 1 row' })
      await page.getByRole('region', { name: 'The first rows' }).getByText('Büro-PC').waitFor()
      await page.reload()
      await page.getByRole('region', { name: 'The first rows' }).getByText('Büro-PC').waitFor()
      await start.click()
      await page.getByText('What came of it').waitFor()
      await page.getByRole('link', { name: 'See the assets' }).waitFor()
      await expect.poll(() => page.getByText('is not an IPv4 or IPv6 address').count()).toBe(1)
      await page.getByRole('link', { name: 'Import another file' }).click()
      await page
        .getByRole('region', { name: 'Imports so far' })
        .getByRole('link', { name: 'Büro.csv' })
        .waitFor()
      await page.close()
    },
  )

  test('prices of a list that names no currency are in the one that a person says', async () => {
    const page = await app.enter('/imports')
    const list = Buffer.from(
      'Name;Manufacturer;Purchase Date;Purchase Cost\nlt-1;Lenovo;12.03.2024;1.299,00\n',
    )
    await page.setInputFiles('input[type=file]', { name: 'stock.csv', mimeType: 'text/csv', buffer: list })
    await page.getByText('0 rows to import').waitFor()
    const leftOut = page.getByRole('region', { name: 'Would be left out' })
    await leftOut.getByRole('cell', { name: 'Currency', exact: true }).waitFor()
    await page.getByLabel('Currency of the prices').fill('EUR')
    await page.getByText('1 row to import').waitFor()
    await page.reload()
    await expect.poll(() => page.getByLabel('Currency of the prices').inputValue()).toBe('EUR')
    await page.getByRole('button', { name: 'Import 1 row' }).click()
    await page.getByRole('link', { name: 'See the assets' }).click()
    await page.getByText('Lenovo').waitFor()
    await page.close()
  })

  test(
    'issue 9: a list of software shows its components and asks for the host',
    { timeout: 120_000 },
    async () => {
      const page = await app.enter('/imports')
      const list = Buffer.from('bash-4.4.20-4.el8_6.x86_64\nopenssl-1.1.1k-12.el8_9.x86_64\n')
      await page.setInputFiles('input[type=file]', {
        name: 'packages.txt',
        mimeType: 'text/plain',
        buffer: list,
      })
      await page.getByText('2 components to import').waitFor()
      await page.getByText('4.4.20-4.el8_6').waitFor()
      const start = page.getByRole('button', { name: 'Import 2 components' })
      await expect.poll(() => start.isDisabled()).toBe(true)
      await page.getByLabel('Of which host or asset').fill('web-1')
      await start.click()
      await page.getByText('What came of it').waitFor()
      await page.close()
    },
  )
})
