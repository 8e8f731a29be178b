import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { askGraphql } from './graphql.ts'
import { needsChromium } from './needs-chromium.ts'

const PATIENCE = { timeout: 60_000, interval: 500 }

needsChromium('approvals of flows', () => {
  let app: App

  beforeAll(async () => {
    app = await openApp()
    await app.rollcall('import', await app.file('hosts.csv', 'hostname\nold-1\nold-2\nold-3\n'))
  }, 120_000)
  afterAll(() => app?.close())

  test('the ready flow that retires assets asks, waits behind the bell, and retires what was approved', async () => {
    const page = await app.enter('/flows')
    await page.getByRole('button', { name: 'Ready flows…' }).first().click()
    await page.getByRole('button', { name: 'Create draft: Retire chosen assets' }).click()
    await page.getByRole('button', { name: 'Publish…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Version 1').waitFor()

    await page.getByRole('button', { name: 'Run now…' }).click()
    const run = page.getByRole('dialog')
    await run.getByRole('button', { name: 'Run', exact: true }).click()
    await run.getByText('Choose at least one asset').waitFor()
    await run.getByRole('textbox', { name: 'Find assets' }).fill('old-1')
    await run.getByRole('button', { name: /old-1/ }).click()
    await run.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('1 run started').first().waitFor()
    const waiting = page.getByRole('region', { name: 'Approvals', exact: true }).first()
    await waiting.getByText('Retire old-1?').waitFor(PATIENCE)
    await waiting.getByText(/started by/).waitFor()

    await page.goto(`${app.address}/t/default/assets`)
    await page.getByRole('checkbox', { name: /old-2/ }).click()
    await page.getByRole('checkbox', { name: /old-3/ }).click()
    await page.getByRole('button', { name: 'More actions on the selected assets' }).click()
    await page.getByRole('menuitem', { name: 'Run flow…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Retire chosen assets' }).click()
    await page.getByRole('button', { name: 'Run for 2 assets' }).click()
    await page.getByText('2 runs started').first().waitFor()

    const total = async () => {
      const { data } = await askGraphql<{ flowApprovals: { total: number } }>(
        page,
        '{ flowApprovals(isOpen: true) { total } }',
      )
      return data?.flowApprovals.total
    }
    await expect.poll(total, PATIENCE).toBe(3)
    await page.reload()
    await page
      .getByRole('button', { name: /^What waits: / })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('link', { name: 'Retire old-1?' }).click()
    await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Refuse: Retire old-1?' }).click()
    await page.getByRole('dialog').getByLabel('Note').fill('still in use')
    await page.getByRole('dialog').getByRole('button', { name: 'Refuse', exact: true }).click()
    await page.getByRole('region', { name: 'Answered' }).getByText('still in use').waitFor()
    await page.getByRole('button', { name: 'Approve all 2…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByText('Nothing waits for an answer').waitFor()

    const retired = async () => {
      const { data } = await askGraphql<{ assets: { items: { name: string; tags: string[] }[] } }>(
        page,
        '{ assets { items { name tags } } }',
      )
      const tagged = data?.assets.items.filter(({ tags }) => tags.includes('retired'))
      return tagged?.map(({ name }) => name).toSorted()
    }
    await expect.poll(retired, PATIENCE).toEqual(['old-2', 'old-3'])
  }, 240_000)
})
