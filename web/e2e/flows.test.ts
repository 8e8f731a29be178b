import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { needsChromium } from './needs-chromium.ts'

needsChromium('flows', () => {
  let app: App

  beforeAll(async () => {
    app = await openApp()
  }, 120_000)
  afterAll(() => app?.close())

  test('a ready flow is created, changed, published, switched on, and archived', async () => {
    const page = await app.enter('/flows')
    await page.getByRole('button', { name: 'New flow' }).first().click()
    const form = page.getByRole('dialog')
    await form
      .getByRole('combobox', { name: 'Begin with' })
      .or(form.getByLabel('Begin with').first())
      .first()
      .click()
    await page.getByRole('option', { name: 'Device that nobody recognised' }).click()
    await form.getByRole('button', { name: 'Create draft' }).click()
    await page.getByRole('heading', { name: 'Device that nobody recognised', level: 1 }).waitFor()
    await page.getByText('When an asset is discovered').waitFor()
    await page.getByText('Add the tags to identify').waitFor()

    await page.getByRole('button', { name: 'Change as JSON…' }).click()
    const editor = page.getByRole('dialog').getByLabel('Definition')
    const text = await editor.inputValue()
    await editor.fill(text.replace('add_tags', 'fly'))
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page
      .getByText(/steps\[0\]\.action/i)
      .first()
      .waitFor()
    await editor.fill(text.replace('"to identify"', '"unclear device"'))
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Add the tags unclear device').waitFor()

    await page.getByRole('button', { name: 'Publish…' }).click()
    await page.getByText(/In the last 30 days: /).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Version 1').waitFor()
    await page.getByRole('switch', { name: 'On' }).click({ force: true })
    await page.getByText('Flow switched on').first().waitFor()
    await expect.poll(() => page.getByRole('switch', { name: 'On' }).isChecked()).toBe(true)

    await page.getByRole('button', { name: 'Archive…' }).click()
    await page.getByRole('button', { name: 'Archive flow' }).click()
    await page.getByText('No flow yet').waitFor()
  }, 60_000)
})
