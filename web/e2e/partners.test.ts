import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { needsChromium } from './needs-chromium.ts'

needsChromium('partners', () => {
  let app: App

  beforeAll(async () => {
    app = await openApp({ WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' })
  }, 120_000)
  afterAll(() => app?.close())

  test('a partner is created, gets a key once, is turned off and on, and deleted', async () => {
    const page = await app.enter('/partners')
    await page.getByRole('button', { name: 'New partner' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByRole('button', { name: 'Create partner' }).click()
    await form.getByText('Name the company.').waitFor()
    await form.getByLabel('Name').fill('Contoso Support')
    await form.getByLabel('Slug').fill('contoso')
    await form.getByLabel('Contact').fill('support@contoso.example')
    await form.getByRole('button', { name: 'Create partner' }).click()
    await page.getByRole('link', { name: 'Contoso Support' }).click()
    await page.getByRole('heading', { name: 'Contoso Support', level: 1 }).waitFor()

    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('sync')
    await page.getByRole('button', { name: 'Create key' }).click()
    const once = page.getByRole('dialog', { name: 'Key of the partner' })
    const secret = await once.getByText(/^pk_[0-9a-f]{64}$/).innerText()
    await once.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByRole('cell', { name: /^sync/ }).waitFor()
    const id = /partners\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''
    const status = async () => {
      const headers = { 'x-partner-key': secret }
      return (await fetch(`${app.address}/api/v1/partners/${id}`, { headers })).status
    }
    expect(await status()).toBe(200)

    await page.getByRole('switch', { name: 'API access' }).click({ force: true })
    await page.getByText('API turned off').waitFor()
    expect(await status()).toBe(401)
    await page.getByRole('switch', { name: 'API access', checked: false }).click({ force: true })
    await page.getByText('API turned on').waitFor()
    expect(await status()).toBe(200)
    await page.reload()
    await page.getByText('2 requests today').waitFor()

    await page.getByRole('button', { name: 'New webhook' }).click()
    const hook = page.getByRole('dialog', { name: 'New partner webhook' })
    await hook.getByLabel('Name').fill('events')
    await hook.getByLabel('URL').fill('http://127.0.0.1:9/')
    await hook.getByLabel('New asset').click()
    await hook.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByText(/^[0-9a-f]{64}$/).waitFor()
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByRole('cell', { name: /^events/ }).waitFor()

    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete partner' }).click()
    await page.getByText('Partner deleted').waitFor()
    expect(await status()).toBe(401)
  })

  test('issue 17: partners are asked, counted, sorted and looked at beside their list', async () => {
    const page = await app.enter('/partners')
    for (const name of ['Zenith', 'Aurora']) {
      await page.getByRole('button', { name: 'New partner' }).first().click()
      const form = page.getByRole('dialog')
      await form.getByLabel('Name').fill(name)
      await form.getByLabel('Slug').fill(name.toLowerCase())
      await form.getByLabel('Contact').fill(`it@${name.toLowerCase()}.example`)
      await form.getByRole('button', { name: 'Create partner' }).click()
      await form.waitFor({ state: 'detached' })
      await page.getByRole('link', { name, exact: true }).waitFor()
    }
    const names = () => page.getByRole('row').getByRole('link').allInnerTexts()
    await expect.poll(names).toEqual(['Aurora', 'Zenith'])
    const byName = page.getByRole('columnheader', { name: /^Name/ }).getByRole('button').first()
    await byName.click()
    await page.locator('[role=columnheader][aria-sort=ascending]').waitFor()
    await byName.click()
    await expect.poll(names).toEqual(['Zenith', 'Aurora'])
    await page.keyboard.press('j')
    await page.keyboard.press('p')
    await page.getByRole('complementary').getByText('it@zenith.example').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('x')
    await page.getByRole('button', { name: 'Turn the API off' }).click()
    await page.getByRole('row', { name: /Zenith.*Off/ }).waitFor()
    await page.getByRole('link', { name: 'API turned off' }).click()
    await expect.poll(names).toEqual(['Zenith'])
    await page.getByRole('link', { name: 'All partners' }).click()
    await expect.poll(names).toEqual(['Aurora', 'Zenith'])
    const box = page.getByRole('combobox', { name: 'Search partners' })
    await box.fill('api = yes')
    await box.press('Enter')
    await expect.poll(names).toEqual(['Aurora'])
  })
})
