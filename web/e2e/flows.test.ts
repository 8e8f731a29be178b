import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { askGraphql } from './graphql.ts'
import { needsChromium } from './needs-chromium.ts'

needsChromium('flows', () => {
  let app: App

  beforeAll(async () => {
    app = await openApp()
  }, 120_000)
  afterAll(() => app?.close())

  test('a ready flow is created, changed, published, switched on, and archived', async () => {
    const page = await app.enter('/flows')
    await page.getByRole('button', { name: 'Ready flows…' }).first().click()
    await page.getByRole('button', { name: 'Create draft: Device that nobody recognised' }).click()
    await page.getByRole('heading', { name: 'Device that nobody recognised', level: 1 }).waitFor()
    await page.getByText('When an asset is discovered').waitFor()
    await page.getByText('Add the tags to identify').waitFor()
    await page
      .getByRole('region', { name: 'The last 30 days' })
      .getByText(/In the last 30 days: /)
      .waitFor()

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

  test('the steps of a flow with branches are shown as a map, too', async () => {
    const page = await app.enter('/flows', { width: 360 })
    const tag = (name: string) => `{ action: "add_tags", with: { tags: ["${name}"] } }`
    const branch = `{ action: "if", condition: "asset.type = server", steps: [${tag('server')}], otherwise: [${tag('other')}] }`
    const made = await askGraphql<{ createFlow: { id: string } }>(
      page,
      `mutation { createFlow(name: "Branches", definition: { trigger: { kind: "manual" }, steps: [${branch}] }) { id } }`,
    )
    await page.goto(page.url().replace(/\/flows$/, `/flows/${made.data?.createFlow.id}`))
    await page.getByRole('button', { name: 'Show as a map' }).click()
    const map = page.getByRole('region', { name: 'Map of the steps' })
    const middleOf = async (text: string) => {
      const { x = 0, y = 0, width = 0 } = (await map.getByText(text).boundingBox()) ?? {}
      return { x: x + width / 2, y }
    }
    const [start, server, other] = [
      await middleOf('When somebody starts it'),
      await middleOf('Add the tags server'),
      await middleOf('Add the tags other'),
    ]
    expect(start.x > 0 && start.x < 360).toBe(true)
    expect(server.x).toBeLessThan(other.x)
    expect(server.y).toBe(other.y)
    expect(server.y).toBeGreaterThan(start.y)
    await map.focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('button', { name: 'Show as a list' }).click()
    await map.waitFor({ state: 'detached' })
  }, 60_000)

  test('the list says what a flow does; its runs have pages; all flows are stopped with a reason', async () => {
    const page = await app.enter('/flows')
    const steps = '[{ action: "request_approval", name: "asked", with: { question: "Really?" } }]'
    const made = await askGraphql<{ createFlow: { id: string } }>(
      page,
      `mutation { createFlow(name: "By hand", definition: { trigger: { kind: "manual" }, steps: ${steps} }) { id } }`,
    )
    const id = made.data?.createFlow.id ?? ''
    await askGraphql(page, `mutation { publishFlow(id: "${id}") { id } }`)
    await askGraphql(page, `mutation { setFlowEnabled(id: "${id}", enabled: true) { id } }`)
    await page.reload()
    await page.getByText('When somebody starts it: ask for approval (Really?).').waitFor()
    await page.getByRole('link', { name: 'By hand' }).click()
    await page.getByRole('button', { name: 'Run now…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('1 run started').first().waitFor()
    const runs = page.getByRole('region', { name: 'Runs' }).getByRole('link')
    await expect
      .poll(
        async () => {
          await page.reload()
          await runs
            .first()
            .waitFor({ timeout: 5_000 })
            .catch(() => undefined)
          return runs.count()
        },
        { timeout: 60_000 },
      )
      .toBe(1)
    await runs.first().click()
    await page.getByRole('heading', { name: 'Run of By hand', level: 1 }).waitFor()
    await page.getByText('Ask for approval: Really?').waitFor()
    expect(page.url()).toMatch(/\/flows\/[0-9a-f-]{36}\/runs\/[0-9a-f-]{36}$/)

    await page.goto(page.url().replace(/\/flows\/.*/, '/flows'))
    await page.getByRole('button', { name: 'Stop all' }).click()
    const form = page.getByRole('dialog')
    await form.getByRole('button', { name: 'Stop all flows' }).click()
    await form.getByText('Say why, for those who find them stopped.').waitFor()
    await form.getByLabel('Reason').fill('They misbehave')
    await form.getByRole('button', { name: 'Stop all flows' }).click()
    await page.getByText(/: They misbehave/).waitFor()
  }, 120_000)
})
