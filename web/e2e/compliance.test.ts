import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { needsChromium } from './needs-chromium.ts'

needsChromium('compliance', () => {
  let app: App
  beforeAll(async () => {
    app = await openApp()
    const hosts = 'name,os\nweb-1,Windows Server 2008 R2\n'
    await app.rollcall('import', await app.file('hosts.csv', hosts))
  }, 240_000)
  afterAll(() => app?.close())

  test(
    'a person adopts a framework and reads what fails and what to do first',
    { timeout: 120_000 },
    async () => {
      const page = await app.enter('/compliance')
      await page.getByText('No framework adopted').waitFor()
      await page.getByRole('button', { name: 'Adopt NIST Cybersecurity Framework' }).click()
      await page.getByText('What to do first').waitFor()
      await page.getByText('that are judged').waitFor()
      const first = page.getByRole('region', { name: 'Checks that fail' }).getByRole('row')
      await expect.poll(() => first.nth(1).textContent()).toMatch(/\d+\sof\s\d+/)
      await page.getByText('ID.AM-01').first().waitFor()
    },
  )

  test(
    'a failure is excepted for a time, a control attested, a check copied',
    { timeout: 120_000 },
    async () => {
      await app.rollcall('compliance', 'adopt', 'nist-csf-2.0')
      const page = await app.enter('/compliance/nist-csf-2.0')
      const failing = page.getByRole('region', { name: 'Checks that fail' })
      await failing.getByRole('link').first().click()
      await page.getByRole('button', { name: 'Except web-1' }).click()
      await page.getByRole('textbox', { name: 'Reason' }).fill('It is replaced in March')
      await page.getByRole('button', { name: 'Create exception' }).click()
      await page.getByText('In force').first().waitFor()
      await page.goto(`${app.address}/compliance/exceptions`)
      await page.getByRole('button', { name: 'Actions for the exception: It is replaced in March' }).click()
      await page.getByRole('menuitem', { name: 'End…' }).click()
      await page.getByRole('textbox', { name: 'Reason' }).fill('It was replaced')
      await page.getByRole('button', { name: 'End exception' }).click()
      await page.getByText('It was replaced').waitFor()
      await page.goto(`${app.address}/compliance/nist-csf-2.0/controls/ID.AM-01`)
      await page.getByRole('button', { name: 'Add an exception…' }).click()
      await page.getByRole('combobox', { name: 'It applies to' }).click()
      await page.getByRole('option', { name: 'Assets for which a condition holds' }).click()
      await page.getByRole('combobox', { name: 'Assets where' }).fill('name = web-1')
      await page.getByText(/^Covers /).waitFor()
      await page.getByRole('textbox', { name: 'Reason' }).fill('A lab')
      await page.getByRole('button', { name: 'Create exception' }).click()
      await page.getByText('where name = web-1').waitFor()
      await page.goto(`${app.address}/compliance/nist-csf-2.0/controls/GV.PO-01`)
      await page.getByRole('link', { name: /^NIST (CSF|Cybersecurity Framework)/ }).waitFor()
      await page.getByRole('button', { name: 'Attest…' }).click()
      await page.getByRole('textbox', { name: 'How the control is met' }).fill('The board approves it')
      await page.getByRole('button', { name: 'I attest it' }).click()
      await page.getByText('The board approves it').waitFor()
      const minutes = { name: 'minutes.txt', mimeType: 'text/plain', buffer: Buffer.from('approved') }
      await page.locator('input[type=file][multiple]').setInputFiles(minutes)
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'minutes.txt' }).click(),
      ])
      expect(download.suggestedFilename()).toBe('minutes.txt')
      await page.goto(`${app.address}/compliance/checks/no-telnet`)
      await page.getByRole('button', { name: 'Copy…' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Preview' }).click()
      await page.getByRole('button', { name: 'Create check' }).click()
      const copy = page.getByRole('heading', { name: /^Copy of/ })
      await copy.waitFor()
    },
  )
})
