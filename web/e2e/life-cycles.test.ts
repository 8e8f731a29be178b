import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { needsChromium } from './needs-chromium.ts'

needsChromium('what people do in the app', () => {
  let app: App
  let receiver: Server
  const received: string[] = []

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      received.push(String(request.headers['x-webhook-signature'] ?? request.url))
      request.resume().once('end', () => response.writeHead(204).end())
    })
    await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve))
    app = await openApp({ WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' })
  }, 120_000)

  afterAll(async () => {
    await app?.close()
    receiver?.close()
  })

  test('signing in leads where one wanted to go, and a wrong password says so', async () => {
    const page = await app.visit('/api-keys')
    await page.getByLabel('Email').fill('admin@localhost')
    await page.getByRole('textbox', { name: 'Password' }).fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect.poll(() => page.getByRole('alert').innerText()).toMatch(/\S/)
    await app.signIn(page)
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  })

  test('a key is made, opens the API, and opens nothing after it is revoked', async () => {
    const page = await app.enter('/api-keys')
    await page.getByRole('button', { name: 'New key' }).click()
    const form = page.getByRole('dialog')
    await form.getByRole('button', { name: 'Create key' }).click()
    await form.getByText('Say what the key is for.').waitFor()
    await form.getByLabel('Name').fill('Nightly export')
    await form.getByRole('button', { name: 'Create key' }).click()
    const once = page.getByRole('dialog', { name: 'Key for Nightly export' })
    const secret = await once.getByText(/^[0-9a-f]{64}$/).innerText()
    expect(await statusWith(secret)).toBe(200)
    await once.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByRole('button', { name: 'Actions for Nightly export' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('Key revoked').waitFor()
    expect(await statusWith(secret)).toBe(401)
    await page
      .getByRole('cell', { name: /Nightly export/ })
      .first()
      .waitFor({ state: 'detached' })
  })

  test('a webhook is made, tested, rotated and deleted', async () => {
    const page = await app.enter('/webhooks')
    const port = (receiver.address() as AddressInfo).port
    await page.getByRole('button', { name: 'New webhook' }).first().click()
    await page.getByLabel('Name').fill('Tickets')
    await page.getByLabel('URL').fill('http://10.0.0.1/hook')
    await page.getByLabel('New asset').check()
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page
      .getByText(/private|not allowed/i)
      .last()
      .waitFor()
    await page.getByLabel('URL').fill(`http://127.0.0.1:${port}/hook`)
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await act('Send a test')
    await page.getByText('The receiver took it').waitFor()
    // red is for what failed
    const colours = await page.evaluate<string[]>(
      `[...document.querySelectorAll('[role=dialog] [role=status] :is(.mantine-Alert-title, .mantine-Alert-message)')]
        .map((it) => getComputedStyle(it).color)`,
    )
    expect(colours).toHaveLength(2)
    expect(new Set(colours).size).toBe(1)
    expect(received).toHaveLength(1)
    await page.keyboard.press('Escape')
    await act('Rotate secret')
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('dialog', { name: 'Secret of Tickets' }).waitFor()
    await page.getByRole('button', { name: 'I have stored it' }).click()
    await act('Delete')
    await page.getByRole('button', { name: 'Delete webhook' }).click()
    await page.getByText('No webhook yet').waitFor()

    async function act(name: string): Promise<void> {
      await page.getByRole('button', { name: 'Actions for Tickets' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
  })

  async function statusWith(key: string): Promise<number> {
    const { status } = await fetch(`${app.address}/api/v1/assets`, { headers: { 'x-api-key': key } })
    return status
  }
})
