import axe, { type AxeResults } from 'axe-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { needsChromium } from './needs-chromium.ts'

needsChromium('the reference of the REST API', () => {
  let app: App
  beforeAll(async () => {
    app = await openApp()
  }, 120_000)
  afterAll(() => app?.close())

  test('an endpoint is tried with one’s own key, and axe finds nothing', { timeout: 120_000 }, async () => {
    const { api_key: key } = await app.rollcall<{ api_key: string }>(
      'key',
      'create',
      '--name',
      'trying',
      '--scopes',
      'write',
    )
    const page = await app.visit('/docs/api')
    const create = page
      .locator('section.operation')
      .filter({ has: page.getByText('POST /api/v1/custom-fields', { exact: true }) })
    await create.getByText('Try it').click()
    await create.getByRole('button', { name: 'Send POST' }).click()
    await create.getByText('Write your key at the top of this page first.').waitFor()
    await page.getByLabel(/^Your key/).fill(key)
    await create.getByRole('textbox', { name: 'Body' }).fill('{ "name": "Bought on", "kind": "date" }')
    await create.getByRole('button', { name: 'Send POST' }).click()
    await create.getByText(/^201 /).waitFor()
    await expect.poll(() => create.locator('pre').last().innerText()).toContain('"Bought on"')
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate<AxeResults>(
      `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })`,
    )
    expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([])
  })
})
