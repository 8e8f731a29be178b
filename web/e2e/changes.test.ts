import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { openApp, type App } from './app.ts'
import { askGraphql } from './graphql.ts'
import { needsChromium } from './needs-chromium.ts'

const MANY = 2_000

needsChromium('what changed in the estate', () => {
  let app: App
  beforeAll(async () => {
    app = await openApp()
    const hosts = (os: string) =>
      ['name,ipAddress,serial,os,tags'].concat(
        Array.from(
          { length: MANY },
          (_, n) => `srv-${n},10.${40 + (n >> 8)}.${n >> 8}.${n & 255},SN-${n}-7,${os},${os.slice(-2)}`,
        ),
      )
    for (const os of ['Debian 11', 'Debian 12', 'Debian 13'])
      await app.rollcall('import', await app.file('hosts.csv', hosts(os).join('\n')))
  }, 240_000)
  afterAll(() => app?.close())

  test(
    'ten thousand changes are one line for each asset; kinds, people and conditions narrow them',
    { timeout: 180_000 },
    async () => {
      const page = await app.enter('/changes')
      const today = page.getByRole('region', { name: /Today|Yesterday/ }).first()
      await today.getByText(/50 of 2,00\d assets/).waitFor()
      await today.getByRole('button', { name: /10,00\d changes/ }).waitFor()
      await expect.poll(() => today.getByRole('listitem').count()).toBeLessThanOrEqual(51)

      await page.getByRole('button', { name: /New assets/ }).click()
      await today.getByRole('button', { name: /2,000 changes/ }).waitFor()
      expect(new URL(page.url()).searchParams.get('kind')).toBe('new')
      await page.getByRole('button', { name: /Changed values/ }).click()
      await page.getByRole('button', { name: /New assets/ }).click()
      await today.getByRole('button', { name: /8,000 changes/ }).waitFor()

      const box = page.getByRole('combobox', { name: 'Of assets where' })
      await box.fill('name = srv-7')
      await box.press('Enter')
      await today.getByRole('button', { name: /4 changes/ }).waitFor()
      await today.getByText('4 values: operating system, tags').waitFor()
      await today.getByRole('button', { name: 'Changes of srv-7' }).press('Enter')
      await today.getByText('operating system: Debian 12 → Debian 13').waitFor()
      await today.getByRole('link', { name: 'In the audit log' }).waitFor()
    },
  )

  test('who changed this: a person, with what it was before', { timeout: 180_000 }, async () => {
    const ann = await app.invite('ann@example.org', 'admin')
    const page = await app.enter('/changes?by=people', { as: ann })
    await page.getByText('No change fits').waitFor()
    const id = await idOf(page, 'srv-3')
    await askGraphql(
      page,
      'mutation($id: ID!) { setAssetWeight(assetId: $id, criticality: high, exposure: unknown) { assetId } }',
      {
        id,
      },
    )
    await page.reload()
    const row = page.getByRole('listitem').filter({ hasText: 'srv-3' })
    await row.getByText('1 value: criticality').waitFor()
    await row.getByRole('button', { name: 'Changes of srv-3' }).click()
    await row.getByText(/criticality:.*high/).waitFor()
    await row.getByRole('link', { name: 'ann@example.org' }).click()
    await page.waitForURL(/by=ann%40example\.org/)
    await row.getByRole('link', { name: 'srv-3' }).click()
    await expect.poll(() => page.getByRole('heading', { name: 'srv-3' }).innerText()).toBe('srv-3')
  })

  test('a day of one’s own choice, and nothing on it', { timeout: 180_000 }, async () => {
    const page = await app.enter('/changes?since=2020-01-01&until=2020-01-02')
    await page.getByText('No change fits').waitFor()
    await page.getByRole('button', { name: 'Show the last 30 days' }).click()
    await expect.poll(() => page.getByText(/of 2,00\d assets/).innerText()).toMatch(/50 of 2,00\d assets/)
  })
})

async function idOf(page: Page, name: string): Promise<string> {
  const { data } = await askGraphql<{ assets: { items: { id: string }[] } }>(
    page,
    'query($where: String) { assets(filter: { where: $where }, first: 1) { items { id } } }',
    { where: `name = ${name}` },
  )
  return data?.assets.items[0]?.id ?? ''
}
