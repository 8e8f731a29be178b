import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { needsChromium } from './needs-chromium.ts'
import { upgradableServer, type UpgradableServer } from './upgradable-server.ts'

needsChromium('when the server goes away, or comes back upgraded', () => {
  let app: App
  let server: UpgradableServer
  let page: Page
  beforeAll(async () => {
    app = await openApp()
    server = await upgradableServer(app.address)
    page = await app.visit('/healthz')
    await page.goto(`${server.address}/sign-in`)
    await app.signIn(page)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
  }, 180_000)
  afterAll(async () => {
    await server?.stop()
    await app?.close()
  })

  const goTo = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 })

  test('issue 9: a screen whose script has another name since the upgrade is shown all the same', async () => {
    await page.evaluate('document.body.dataset.load = "first"')
    server.upgrade()
    await goTo('Settings')
    await heading('Settings').waitFor()
    await expect.poll(() => page.evaluate('document.body.dataset.load')).toBe(undefined)
  })

  test('an address that leads nowhere keeps the navigation', async () => {
    await page.goto(`${new URL('.', page.url()).href}no/such/screen`)
    await heading('Not found').waitFor()
    await goTo('Settings')
    await heading('Settings').waitFor()
    expect(new URL(page.url()).pathname).toMatch(/\/settings$/)
  })

  test('issue 9: a screen asked for while the server is away comes when it is back', async () => {
    await server.stop()
    await goTo('Discovery')
    await page.getByText('This screen comes by itself').waitFor()
    await page.getByText('The server cannot be reached. Shown is').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('This screen comes by itself').waitFor()
    await server.start()
    await heading('Discoveries').waitFor()
    await expect.poll(() => page.getByText('This screen comes by itself').count()).toBe(0)
    await goTo('Credentials')
    await heading('Credentials').waitFor()
  })

  test('what is typed stays while the server is away and after it was upgraded, of which is told', async () => {
    await page
      .getByRole('button', { name: /add credential|new credential/i })
      .first()
      .click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Name').fill('root on the lab hosts')
    await server.stop()
    const away = page.getByText('The server cannot be reached. Shown is')
    await away.waitFor()
    server.upgrade()
    await server.start()
    await page.getByText('Rollcall was upgraded').waitFor()
    await expect.poll(() => away.count()).toBe(0)
    await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('root on the lab hosts')
    await page.getByRole('button', { name: 'Reload' }).click()
    await heading('Credentials').waitFor()
    await expect.poll(() => page.getByText('Rollcall was upgraded').count()).toBe(0)
  })
})
