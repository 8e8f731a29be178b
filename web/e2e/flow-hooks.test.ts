import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { askGraphql } from './graphql.ts'
import { needsChromium } from './needs-chromium.ts'

const PATIENCE = { timeout: 60_000, interval: 500 }

needsChromium('flows that other systems start', () => {
  let app: App

  beforeAll(async () => {
    app = await openApp()
  }, 120_000)
  afterAll(() => app?.close())

  /** What a part of the open dialog shows. */
  const shown = async (page: Page, part: string | RegExp): Promise<string> =>
    (await page.getByRole('dialog').getByRole('group', { name: part }).locator('code').textContent()) ?? ''

  /** The status with which the lines of the dialog are answered. */
  const tryIt = async (lines: string, secret = ''): Promise<string> => {
    const status = lines.replace('curl ', "curl -s -o /dev/null -w '%{http_code}' ")
    const { stdout } = await promisify(execFile)('sh', ['-c', status], {
      env: { PATH: process.env['PATH'], SECRET: secret },
    })
    return stdout
  }

  test('the address is made, tried as it says, replaced and signed; a secret is set and replaced', async () => {
    const page = await app.enter('/flows/new')
    await page.getByRole('textbox', { name: /^Name/ }).first().fill('From outside')
    await page.getByLabel('When', { exact: true }).selectOption({ value: 'webhook' })
    await page.getByRole('button', { name: 'Add value' }).click()
    await page.getByRole('textbox', { name: 'Name of value 1' }).fill('host')
    await page.getByRole('button', { name: 'Add step', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Stop', exact: true }).click()
    const save = page.getByRole('button', { name: 'Save draft' })
    await expect.poll(() => save.isEnabled(), PATIENCE).toBe(true)
    await save.click()

    await page.getByRole('button', { name: 'Make the address' }).click()
    const first = await shown(page, /^Try it/)
    expect(first).toContain(`${app.address}/hooks/`)
    expect(first).toContain('{"host":"text"}')
    await page.getByRole('button', { name: 'I have stored it' }).click()
    expect(await tryIt(first)).toBe('404')
    await page.getByRole('button', { name: 'Publish…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Version 1').waitFor()
    await page.getByRole('switch', { name: 'On' }).click({ force: true })
    await page.getByText('Flow switched on').first().waitFor()
    expect(await tryIt(first)).toBe('202')
    await page.getByRole('region', { name: 'Runs' }).getByText('succeeded').waitFor(PATIENCE)

    const { data } = await askGraphql<{ flows: { items: { id: string }[] } }>(
      page,
      '{ flows { items { id } } }',
    )
    const id = data?.flows.items[0]?.id ?? ''
    for (const signature of ['rollcall', 'x-hub-signature-256']) {
      const trigger = `{ kind: "webhook", signature: "${signature}" }`
      await askGraphql(
        page,
        `mutation { updateFlow(id: "${id}", definition: { trigger: ${trigger}, steps: [{ action: "stop" }] }) { id } }`,
      )
      await askGraphql(page, `mutation { publishFlow(id: "${id}") { id } }`)
      await askGraphql(page, `mutation { setFlowEnabled(id: "${id}", enabled: true) { id } }`)
      await page.reload()
      await page.getByRole('button', { name: 'New address…' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Make a new address' }).click()
      const lines = await shown(page, /^Try it/)
      const secret = await shown(page, 'Key of signatures')
      await page.getByRole('button', { name: 'I have stored it' }).click()
      expect([signature, await tryIt(lines, secret)]).toEqual([signature, '202'])
      expect([signature, await tryIt(lines, 'a wrong key')]).toEqual([signature, '404'])
      expect([signature, await tryIt(first)]).toEqual([signature, '404'])
    }

    await page.goto(`${app.address}/t/default/flows`)
    await page.getByRole('button', { name: 'New secret' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Name').fill('Ticket Token')
    await form.getByRole('textbox', { name: /^Value/ }).fill('seven-of-nine')
    await form.getByRole('button', { name: 'Store secret' }).click()
    await form.getByText(/^Must be lower-case letters/).waitFor()
    await form.getByLabel('Name').fill('ticket_token')
    await form.getByRole('button', { name: 'Store secret' }).click()
    await page.getByText('{{secrets.ticket_token}}').waitFor()
    await page.getByRole('button', { name: 'Actions for ticket_token' }).click()
    await page.getByRole('menuitem', { name: 'Replace…' }).click()
    await form.getByRole('textbox', { name: /^Value/ }).fill('eight-of-nine')
    await form.getByRole('button', { name: 'Replace secret' }).click()
    await page.getByText('Secret replaced').first().waitFor()
    await form.waitFor({ state: 'detached' })
    expect(await page.content()).not.toMatch(/(seven|eight)-of-nine/)
  }, 240_000)
})
