import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { needsChromium } from './needs-chromium.ts'

needsChromium('credentials, in the browser', () => {
  let app: App
  beforeAll(async () => {
    app = await openApp()
  }, 120_000)
  afterAll(() => app?.close())

  test('one is stored, changed and deleted, and its secret is never in the page again', async () => {
    const page = await app.enter('/credentials')
    await page.getByRole('button', { name: 'New credential' }).first().click()
    const form = page.getByRole('dialog', { name: 'New credential' })
    await form.getByLabel('Name').fill('Linux servers')
    await form.getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'SSH, password' }).click()
    await form.getByLabel('Account').fill('scan')
    await form.getByRole('textbox', { name: 'Password' }).fill('korrekt-pferd')
    await form.getByRole('button', { name: 'Store credential' }).click()
    await form.getByText('Say at least one network').waitFor()
    await form.getByRole('textbox', { name: 'Networks' }).fill('10.20.0.0/99')
    await form.getByRole('button', { name: 'Store credential' }).click()
    await form.getByText(/prefix of 10\.20\.0\.0 is at most/).waitFor()
    await form.getByRole('textbox', { name: 'Networks' }).fill('10.20.0.0/16\n10.30.0.0/16')
    await form.getByRole('button', { name: 'Store credential' }).click()
    const row = page.getByRole('row', { name: /Linux servers/ })
    await row.getByText('Not used yet').waitFor()
    await row.getByText('10.30.0.0/16').waitFor()

    await page.getByRole('button', { name: 'Actions for Linux servers' }).click()
    await page.getByRole('menuitem', { name: 'Change…' }).click()
    const change = page.getByRole('dialog', { name: 'Change Linux servers' })
    await expect.poll(() => change.getByRole('textbox', { name: 'Password' }).inputValue()).toBe('')
    await expect.poll(() => change.getByLabel('Account').inputValue()).toBe('scan')
    expect(await page.content()).not.toContain('korrekt-pferd')
    await change.getByRole('textbox', { name: 'Networks' }).fill('10.0.0.0/8')
    await change.getByRole('button', { name: 'Save' }).click()
    await change.getByText(/give its secret anew/).waitFor()
    await change.getByRole('textbox', { name: 'Password' }).fill('batterie-klammer')
    await change.getByRole('button', { name: 'Save' }).click()
    await row.getByText('10.0.0.0/8').waitFor()

    await page.getByRole('button', { name: 'Actions for Linux servers' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete credential' }).click()
    await page.getByText('No credentials yet').waitFor()
  }, 120_000)

  test('what a scan saw is shown host by host', async () => {
    const target = await app.rollcall<{ id: string }>(
      'target',
      'create',
      '--name',
      'here',
      '--host',
      '127.0.0.1',
    )
    await app.rollcall('scan', 'start', '--target', target.id, '--wait')
    const page = await app.enter('/scans')
    await page.getByRole('link', { name: '127.0.0.1' }).first().click()
    await page.getByRole('heading', { name: 'Scan of 127.0.0.1' }).waitFor()
    const table = page.getByRole('region', { name: /What was read of/ })
    await table.waitFor()
    const address = table.getByRole('cell', { name: /ip · 127\.0\.0\.1/ })
    await address.waitFor()
    await expect.poll(() => address.count()).toBe(1)
  }, 120_000)
})
