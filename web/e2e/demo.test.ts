import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { needsChromium } from './needs-chromium.ts'

needsChromium('the first minutes of an installation', () => {
  let app: App
  beforeAll(async () => {
    app = await openApp()
  }, 120_000)
  afterAll(() => app?.close())

  const firstSteps = (page: Page) => page.getByRole('region', { name: 'First steps' })
  async function faultsOf(page: Page): Promise<readonly string[]> {
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate<AxeResults>('axe.run()')
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  }

  test('a demo company by one button, and without a trace by one more', { timeout: 120_000 }, async () => {
    const page = await app.enter('/')
    await firstSteps(page).getByText('0 of 5 done').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Look around in a demo company' }).click()
    await page.waitForURL('**/t/demo/')
    await page.getByText(/^Everything here is invented/).waitFor({ timeout: 60_000 })
    await page.getByText('Assets at most risk').waitFor()
    await page.locator('main [data-loading]').first().waitFor({ state: 'detached' })
    await expect.poll(() => firstSteps(page).count()).toBe(0)
    expect(await app.rollcall<unknown[]>('target', 'list'), 'the one that is real is meant').toEqual([])
    expect(await faultsOf(page)).toEqual([])

    await page.goto(`${app.address}/t/default/organisations`)
    const row = page.getByRole('row', { name: /Demo company/ })
    await row.getByText('Demo', { exact: true }).waitFor()
    await expect
      .poll(() => page.getByRole('button', { name: 'Look around in a demo company' }).count())
      .toBe(0)

    await row.getByRole('link', { name: 'Demo company' }).click()
    await page.getByRole('link', { name: 'Remove the demo' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the demo' }).click()
    await page.getByText('Demo company is gone').waitFor()
    await row.waitFor({ state: 'detached' })
    await page.goto(`${app.address}/t/default/`)
    await page.getByText('Nothing has been found yet').waitFor()
    const answer = await page.goto(`${app.address}/t/demo/assets`)
    expect(answer?.status()).toBe(200)
    await page.getByText('You do not belong to the organisation at this address').waitFor()
  })

  test('a step that was taken is ticked, and a list without steps left is gone', async () => {
    const hosts = Array.from({ length: 3 }, (_, n) => `pc-${n},SN-${n}-4`)
    await app.rollcall('import', await app.file('hosts.csv', ['name,serial', ...hosts].join('\n')))
    await app.rollcall('target', 'create', '--name', 'Office', '--cidr', '10.20.0.0/24')
    const page = await app.enter('/')
    await firstSteps(page).getByText('1 of 5 done').waitFor()
    const sweep = firstSteps(page).getByRole('listitem').filter({ hasText: 'Sweep a network' })
    await sweep.getByLabel('Done').waitFor()
    await page.getByRole('button', { name: 'Arrange' }).click()
    await page.getByRole('checkbox', { name: 'First steps' }).click()
    await expect.poll(() => firstSteps(page).count()).toBe(0)
  })

  test('the founder makes an organisation, and is told which short name is taken', async () => {
    const page = await app.enter('/organisations')
    const make = async (name: string) => {
      await page.getByRole('button', { name: 'New organisation' }).click()
      await page.getByRole('textbox', { name: /^Name/ }).fill(name)
      await page.getByRole('button', { name: 'Make the organisation' }).click()
    }
    await make('Default')
    await page.getByText('default is taken').waitFor()
    await page.keyboard.press('Escape')
    await make('Müller & Söhne')
    await page.waitForURL('**/t/muller-sohne/')
    await page.getByText('Nothing has been found yet').waitFor()
    expect(await app.rollcall<{ slug: string }[]>('tenant', 'list')).toMatchObject([
      { slug: 'default' },
      { slug: 'muller-sohne' },
    ])
  })
})
