import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { askGraphql } from './graphql.ts'
import { doubtfulLists } from './lists.ts'
import { needsChromium } from './needs-chromium.ts'

needsChromium('what is one asset', () => {
  let app: App
  beforeAll(async () => {
    app = await openApp()
    const { files, forget } = await doubtfulLists()
    for (const file of files) await app.rollcall('import', file)
    await forget()
  }, 120_000)
  afterAll(() => app?.close())

  test('a possible duplicate is merged and separated again, each after a look at what would be', async () => {
    const page = await app.enter('/assets')
    const ids = await idsOf(page)
    await page
      .getByRole('link', { name: /^Possible duplicates/ })
      .first()
      .click()
    const pair = page.getByRole('article', { name: /reception-pc/ })
    await pair.getByText('Same MAC').first().waitFor()
    const place = await pair.boundingBox()
    await pair.getByRole('button', { name: 'Merge…' }).click()

    const merging = page.getByRole('dialog', { name: /^Merge / })
    await merging
      .getByRole('region', { name: 'They would be' })
      .getByText(/3c:52:82/i)
      .waitFor()
    expect(await idsOf(page)).toEqual(ids)
    await merging.getByLabel('Reason').fill('The same desk')
    await merging.getByRole('button', { name: 'Merge', exact: true }).click()
    await pair.getByText('Merged into').waitFor()
    await pair.getByRole('button', { name: 'Undo' }).waitFor()
    await expect.poll(() => pair.boundingBox()).toEqual(place)
    expect(await page.locator('.mantine-Notification-root').count()).toBe(0)
    const [merged = ''] = await idsOf(page)
    expect(ids).toContain(merged)
    expect(await idsOf(page)).toHaveLength(1)

    await page.goto(`${app.address}/assets/${merged}?tab=identity`)
    await page.getByText('The same desk').first().waitFor()
    const other = ids.find((id) => id !== merged) ?? ''
    await page.goto(`${app.address}/assets/${other}?tab=identity`)
    await page.waitForURL(`**/assets/${merged}?tab=identity`)
    await page.getByRole('checkbox', { name: 'Select the observation of nmap' }).check()
    await page.getByRole('button', { name: /^Separate 1 observation/ }).click()
    const separating = page.getByRole('dialog', { name: 'Separate 1 observation' })
    await separating.getByRole('region', { name: 'This asset would be' }).waitFor()
    await separating.getByRole('region', { name: 'A new asset' }).waitFor()
    expect(await idsOf(page)).toHaveLength(1)
    await separating.getByRole('button', { name: 'Separate', exact: true }).click()
    await page.getByText('Observations separated').waitFor()
    expect(await idsOf(page)).toEqual(ids)
    await page.goto(`${app.address}/assets/${other}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/t/default/assets/${other}`)
  })

  test('a merge from the page of an asset is undone from its notification', async () => {
    const page = await app.enter('/assets')
    const ids = await idsOf(page)
    const [asset = '', other = ''] = ids
    await page.goto(`${app.address}/assets/${other}`)
    const name = await page.getByRole('heading', { level: 1 }).innerText()
    await page.goto(`${app.address}/assets/${asset}`)
    await page.getByRole('button', { name: 'Merge with…' }).click()
    const search = page.getByRole('dialog')
    await search.getByRole('textbox').fill(name)
    await search.getByRole('button', { name }).first().click()
    await page.getByRole('button', { name: 'Merge', exact: true }).click()
    await page.getByText(/^Merged into/).waitFor()
    expect(await idsOf(page)).toHaveLength(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    expect(await idsOf(page)).toEqual(ids)
  })

  test('a custom field that has no value yet gets one', async () => {
    const page = await app.enter('/assets')
    await askGraphql(page, 'mutation { defineCustomField(name: "Owner", kind: text) { id } }')
    const [id = ''] = await idsOf(page)
    await page.goto(`${app.address}/assets/${id}`)
    await page.getByRole('button', { name: 'Change Owner' }).click()
    const form = page.getByRole('dialog', { name: 'Owner' })
    await form.getByLabel('Owner').fill('Facilities')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('region', { name: 'Custom fields' }).getByText('Facilities').waitFor()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  test('whoever merges two serial numbers is told', async () => {
    const page = await app.enter('/assets')
    const made = async (name: string, serial: string): Promise<string> => {
      const { data } = await askGraphql<{ createAsset: { id: string } }>(
        page,
        `mutation { createAsset(name: "${name}", serial: "${serial}") { id } }`,
      )
      return data?.createAsset.id ?? ''
    }
    const desk = await made('Desk phone', 'FX-4410-A')
    await made('Meeting phone', 'FX-4410-B')
    await page.goto(`${app.address}/assets/${desk}`)
    await page.getByRole('button', { name: 'Merge with…' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('Meeting')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Meeting phone/ })
      .first()
      .click()
    const merging = page.getByRole('dialog', { name: /^Merge / })
    await merging.getByText('Their serial numbers differ').waitFor()
    await merging.getByText(/^FX-4410-A and FX-4410-B: two machines/).waitFor()
    await merging.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })
})

/** As the server has them now. */
async function idsOf(page: Page): Promise<string[]> {
  const query = '{ assets(first: 10) { items { id } } }'
  const { data } = await askGraphql<{ assets: { items: { id: string }[] } }>(page, query)
  return (data?.assets.items ?? []).map(({ id }) => id).toSorted()
}
