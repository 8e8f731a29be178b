import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App, type Person } from './app.ts'
import { bringFindings, PARTS } from './findings.ts'
import { askGraphql } from './graphql.ts'
import { needsChromium } from './needs-chromium.ts'

const CVE = PARTS[0]?.cveId ?? ''
const WHY = 'Why this is a finding'
const PATIENTLY = { timeout: 30_000, interval: 200 }

needsChromium('what is vulnerable, and how people override it', () => {
  let app: App
  let viewer: Person
  let approver: Person
  let stranger: Person
  let assetId: string

  beforeAll(async () => {
    app = await openApp()
    const page = await app.enter('/')
    await bringFindings(app, page)
    assetId = await onlyAsset(page)
    await page.context().close()
    viewer = await app.invite('viewer@example.org', 'viewer')
    approver = await app.invite('bob@example.org', 'admin')
    await app.rollcall('tenant', 'create', 'globex', '--name', 'Globex')
    stranger = await app.invite('hank@globex.example', 'admin', { tenant: 'globex' })
  }, 240_000)
  afterAll(() => app?.close())

  test('a finding says which record made it, by which rule, and what would close it', async () => {
    const page = await app.enter('/vulnerabilities?group=none')
    await page.getByRole('button', { name: CVE }).click()
    const drawer = page.getByRole('complementary', { name: WHY })
    for (const text of ['PYSEC-2099-1', 'before 2.1.0', 'part-0 in PyPI', 'Python versions (PEP 440)'])
      await drawer.getByText(text, { exact: true }).first().waitFor()
    await drawer.getByText(/^Version 2\.1\.0 or later closes it/).waitFor()
    await drawer.getByRole('link', { name: CVE }).click()
    await page.getByRole('heading', { name: CVE, level: 1 }).waitFor()
    const link = page.getByRole('link', { name: 'https://example.org/parcel-kit/1' })
    await expect.poll(() => link.getAttribute('rel')).toBe('noreferrer noopener')
    await expect.poll(() => link.getAttribute('target')).toBe('_blank')
    await page.getByText('javascript:alert(1)').waitFor()
    await expect.poll(() => page.getByRole('link', { name: /javascript/ }).count()).toBe(0)
    await page.getByRole('link', { name: 'depot-1' }).waitFor()
  })

  test('an accepted risk leaves the open ones and the score; ended, it is back', async () => {
    const page = await app.enter('/')
    await page.getByText('Assets at most risk').waitFor()
    await expect.poll(() => scoreOn(page), PATIENTLY).toBeGreaterThan(0)
    await show(page, '/vulnerabilities?group=none')
    await page.getByRole('button', { name: CVE }).click()
    await page.getByRole('button', { name: 'Override…' }).click()
    const form = page.getByRole('dialog', { name: `Override ${CVE}` })
    await form.getByText('open finding would disappear from the open ones').waitFor()
    await form.getByText('depot-1').waitFor()
    await form.getByRole('button', { name: 'Create override' }).click()
    await form.getByText('Say why; others will ask').waitFor()
    await form.getByLabel('Reason').fill('The depot has no labels from outside')
    await form.getByRole('button', { name: 'Create override' }).click()
    await page.getByText('Risk accepted').first().waitFor()
    await show(page, '/vulnerabilities?group=none')
    await page.getByText('No open finding').waitFor()
    await expect.poll(() => scoreOn(page), PATIENTLY).toBe(0)

    await show(page, '/overrides')
    await page.getByText('The depot has no labels from outside').waitFor()
    await page.getByRole('button', { name: `Actions for the override of ${CVE}` }).click()
    await page.getByRole('menuitem', { name: 'End…' }).click()
    const end = page.getByRole('dialog')
    await end.getByLabel('Reason').fill('The label printer moved')
    await end.getByRole('button', { name: 'End override' }).click()
    await page.getByText('No override is in this state').waitFor()
    await show(page, '/vulnerabilities?group=none')
    await page.getByRole('button', { name: CVE }).waitFor()
    await expect.poll(() => scoreOn(page), PATIENTLY).toBeGreaterThan(0)
  })

  test('a second person approves where the organisation wants it', async () => {
    const page = await app.enter('/settings')
    await page.getByLabel('A second person approves').click()
    await page.getByText('Overrides now wait for a second person').waitFor()
    await show(page, `/vulnerabilities/${CVE}`)
    await page.getByRole('button', { name: 'Override…' }).click()
    const form = page.getByRole('dialog', { name: `Override ${CVE}` })
    await form.getByLabel('Reason').fill('Alone')
    await form.getByRole('button', { name: 'Create override' }).click()
    await page.getByText('Proposed; it counts when somebody else approves it').waitFor()
    await page.getByRole('cell', { name: 'Waits for approval' }).waitFor()
    await page.getByRole('button', { name: `Actions for the override of ${CVE}` }).click()
    const approve = page.getByRole('menuitem', { name: 'Somebody else approves' })
    await expect.poll(() => approve.isDisabled()).toBe(true)
    await expect.poll(() => scoreOn(page), PATIENTLY).toBeGreaterThan(0)
  })

  test('a reader sees why, is offered no override, and is refused one', async () => {
    const page = await app.enter('/vulnerabilities?group=none', { as: viewer })
    await page.getByRole('button', { name: CVE }).click()
    await page.getByRole('complementary', { name: WHY }).getByText('before 2.1.0').waitFor()
    await show(page, `/vulnerabilities/${CVE}`)
    await page.getByRole('link', { name: 'depot-1' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: /Override…|Actions/ }).count()).toBe(0)
    const forced = await askGraphql(
      page,
      'mutation ($id: String!) { createOverride(kind: false_positive, cveId: $id, reason: "r") { id } }',
      { id: CVE },
    )
    expect(forced.errors).toMatchObject([
      { message: expect.stringContaining('overrides:write'), extensions: { code: 'forbidden' } },
    ])
  })

  test('another organisation sees nothing of it', async () => {
    const page = await app.enter('/vulnerabilities?group=none', { as: stranger })
    await page.getByText('Not assessed yet').waitFor()
    for (const [screen, nothing] of [
      ['/vulnerabilities?outcome=any&text=parcel', 'No finding fits'],
      ['/software', 'No software yet'],
      ['/overrides', 'No override is in this state'],
      ['/end-of-life', 'Nothing that is known to end'],
      [`/vulnerabilities?asset=${assetId}`, 'No finding fits'],
    ] as const) {
      await show(page, screen)
      await page.getByText(nothing).waitFor()
    }
    await show(page, `/vulnerabilities/${CVE}`)
    await page
      .getByText(/On no asset|could not be shown/)
      .first()
      .waitFor()
    await expect.poll(() => page.locator('main').innerText()).not.toMatch(/depot-1/)
  })

  test('both people see what waits, what it would change, and the other one approves it', async () => {
    const page = await app.enter('/vulnerabilities?group=none')
    await page.getByText('1 override waits for approval').waitFor()
    await page.getByRole('link', { name: 'Show what waits' }).click()
    await page.getByRole('cell', { name: 'Alone' }).waitFor()
    const other = await app.enter('/decisions', { as: approver })
    await other.getByRole('heading', { name: 'Overrides', level: 1 }).waitFor()
    expect(new URL(other.url()).pathname).toMatch(/\/overrides$/)
    await other.getByRole('cell', { name: '1 if approved' }).waitFor()
    await other.getByRole('button', { name: `Actions for the override of ${CVE}` }).click()
    await other.getByRole('menuitem', { name: 'Approve…' }).click()
    const dialog = other.getByRole('dialog', { name: `Approve the override of ${CVE}` })
    await dialog.getByText('1 open finding would disappear').waitFor()
    await dialog.getByText('depot-1').waitFor()
    await dialog.getByRole('button', { name: 'Approve', exact: true }).click()
    await other.getByRole('cell', { name: 'In force' }).waitFor()
    await expect.poll(() => scoreOn(page), PATIENTLY).toBe(0)
  })

  test('the last day is picked, tags complete, and a tag reaches the assets that have it', async () => {
    const page = await app.enter('/settings')
    await page.getByLabel('A second person approves').click()
    await page.getByText('Overrides now count at once').waitFor()
    await askGraphql(
      page,
      'mutation ($id: ID!) { addAssetTags(assetIds: [$id], tags: ["warehouse"]) { id } }',
      {
        id: assetId,
      },
    )
    await show(page, `/vulnerabilities/${CVE}`)
    await page.getByRole('button', { name: 'Override…' }).click()
    const form = page.getByRole('dialog', { name: `Override ${CVE}` })
    await form.getByLabel('It applies to').click()
    await page.getByRole('option', { name: 'Assets with a tag' }).click()
    await form.getByLabel('Tag').fill('ware')
    await page.getByRole('option', { name: 'warehouse' }).click()
    await form.getByLabel('Reason').fill('Picked')
    await form.getByRole('textbox', { name: 'Last day' }).fill('')
    await form.getByRole('button', { name: 'Create override' }).click()
    await form.getByText('Pick a day, or choose “No end”').waitFor()
    await form.getByRole('textbox', { name: 'Last day' }).fill('2099-12-31')
    await form.getByRole('button', { name: 'Create override' }).click()
    const row = page.getByRole('row').filter({ hasText: 'Picked' })
    await row.getByText('assets tagged warehouse').waitFor()
    await expect.poll(() => row.innerText()).toContain('Dec 31, 2099')
  })

  const show = async (page: Page, screen: string): Promise<void> => {
    await page.goto(app.address + screen)
    await page.getByRole('heading', { level: 1 }).waitFor()
  }

  const scoreOn = async (page: Page): Promise<number> => {
    const question = 'query ($id: ID!) { assetRisk(assetId: $id) { score } }'
    const { data } = await askGraphql<{ assetRisk: { score: number } }>(page, question, { id: assetId })
    return data?.assetRisk.score ?? -1
  }
})

async function onlyAsset(page: Page): Promise<string> {
  const { data } = await askGraphql<{ assets: { items: { id: string }[] } }>(
    page,
    '{ assets(first: 1) { items { id } } }',
  )
  return data?.assets.items[0]?.id ?? ''
}
