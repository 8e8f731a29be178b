import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { bringFindings } from './findings.ts'
import { askGraphql } from './graphql.ts'
import { needsChromium } from './needs-chromium.ts'

const PATIENTLY = { timeout: 30_000, interval: 200 }
const HOSTS = 300
const two = (at: number): string => String(at).padStart(3, '0')
const PARTS = Array.from({ length: 4 }, (_, at) => ({
  name: `kit-${at}`,
  version: '2.0.3',
  cveId: `CVE-2099-2000${at}`,
  description: `kit-${at} runs commands.`,
  references: [],
}))

needsChromium('rows of every list', () => {
  let app: App
  beforeAll(async () => {
    app = await openApp()
    const lines = Array.from({ length: HOSTS }, (_, at) => `host-${two(at)},10.1.${at >> 8}.${at & 255}`)
    await app.rollcall('import', await app.file('hosts.csv', `name,ipAddress\n${lines.join('\n')}\n`))
    const page = await app.enter('/')
    await bringFindings(app, page, PARTS)
    for (const name of ['Acme', 'Globex', 'Initech'])
      await askGraphql(
        page,
        'mutation ($name: String!, $slug: String!) { createPartner(name: $name, slug: $slug, email: "a@b.example") { id } }',
        { name, slug: name.toLowerCase() },
      )
    await page.context().close()
  }, 240_000)
  afterAll(() => app?.close(), 60_000)

  test('findings are selected by keys and with Shift, decided about, and it is undone', async () => {
    const page = await app.enter('/vulnerabilities?group=none')
    const boxes = page.getByRole('checkbox', { name: /^Select CVE/ })
    await boxes.first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByText('1 finding selected').waitFor()
    await boxes.nth(2).click({ modifiers: ['Shift'] })
    await page.getByText('3 findings selected').waitFor()
    await page.getByRole('button', { name: 'Accept the risk…' }).click()
    await page.getByRole('textbox', { name: 'Reason' }).fill('Isolated')
    await page.getByRole('button', { name: 'Accept the risk', exact: true }).click()
    await page.getByText('Accept the risk: done on 3 findings').waitFor()
    await page.getByRole('row').nth(1).waitFor()
    await expect.poll(() => boxes.count(), PATIENTLY).toBe(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => boxes.count(), PATIENTLY).toBe(4)
  })

  test('all findings that match are decided about, but for one', async () => {
    const page = await app.enter('/vulnerabilities?group=none&where=severity+%3D+critical')
    await page.getByRole('checkbox', { name: 'Select all that match' }).click()
    await page.getByText('All 4 findings selected').waitFor()
    await page.getByRole('checkbox', { name: /^Select CVE-2099-20001/ }).click()
    await page.getByText('3 findings selected').waitFor()
    await page.getByRole('button', { name: 'False positive…' }).click()
    await page.getByRole('textbox', { name: 'Reason' }).fill('Not reachable')
    await page.getByRole('button', { name: 'Mark as false positive' }).click()
    await page.getByText('False positive: done on 3 findings').waitFor()
    await expect.poll(() => page.getByRole('checkbox', { name: /^Select CVE/ }).count(), PATIENTLY).toBe(1)
    await page.getByRole('button', { name: 'CVE-2099-20001' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undo: False positive: done on 3 findings').waitFor()
  })

  test('what has no job is done row by row, and undone', async () => {
    const page = await app.enter('/partners')
    await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
    await page.getByText('All 3 partners selected').waitFor()
    await page.getByRole('button', { name: 'Turn the API off' }).click()
    await page.getByText('Turn the API off: done on 3 partners').waitFor()
    expect(await partnersWithApi(page)).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undo: Turn the API off: done on 3 partners').waitFor()
    expect(await partnersWithApi(page)).toBe(3)
  })

  test('the order of a list stands in the address', async () => {
    const page = await app.enter('/api-keys')
    for (const name of ['aa-nightly', 'zz-nightly'])
      await askGraphql(
        page,
        'mutation ($name: String!) { createApiKey(name: $name, scopes: [read]) { apiKey { id } } }',
        { name },
      )
    await page.reload()
    await page.getByText('zz-nightly').waitFor()
    await page.getByRole('button', { name: 'Name', exact: true }).click()
    await page.getByRole('button', { name: 'Name', exact: true }).click()
    await page.waitForURL((url) => url.searchParams.get('api-keys.by') === '-name')
    await page.reload()
    await page.locator('th[aria-sort="descending"]').waitFor()
    await expect.poll(() => page.locator('tbody tr').first().innerText()).toContain('zz-nightly')
  })

  test('an asset is looked at beside the list: its address is sent, keys move and close it', async () => {
    const page = await app.enter('/assets?sort=name&direction=asc&search=host-')
    await page.getByRole('link', { name: 'host-000' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('p')
    const panel = (name: string) => panelOf(page, name)
    await panel('host-000').waitFor()
    await page.keyboard.press('j')
    await panel('host-001').waitFor()
    const copy = await app.enter(pathOf(page))
    await panelOf(copy, 'host-001').waitFor()
    await copy.getByRole('link', { name: 'host-001' }).first().waitFor()
    await copy.keyboard.press('j')
    await panelOf(copy, 'host-002').waitFor()
    await page.keyboard.press('Escape')
    await panel('host-001').waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.has('preview')).toBe(false)
    await page
      .getByRole('row', { name: /host-003/ })
      .getByRole('cell')
      .nth(3)
      .click()
    await panel('host-003').waitFor()
    await page.goBack()
    await panel('host-003').waitFor({ state: 'detached' })
  })

  test('a finding is looked at beside the list', async () => {
    const page = await app.enter('/vulnerabilities?group=none')
    await page.getByRole('button', { name: 'CVE-2099-20000' }).click()
    const panel = page.getByRole('complementary', { name: 'Why this is a finding' })
    await panel.getByText('PYSEC-2099-1').first().waitFor()
    await page.reload()
    await panel.getByText('PYSEC-2099-1').first().waitFor()
    await page.getByRole('button', { name: 'CVE-2099-20000' }).waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    expect(new URL(page.url()).searchParams.has('preview')).toBe(false)
  })

  test('findings begin by fix, are grouped, ordered, arranged and kept as a view', async () => {
    const page = await app.enter('/vulnerabilities')
    await page.getByRole('heading', { name: 'What closes the most risk' }).waitFor()
    await page.getByRole('combobox', { name: 'Group by' }).click()
    await page.getByRole('option', { name: 'Severity' }).click()
    await page.getByRole('link', { name: 'Critical', exact: true }).click()
    const cves = page.getByRole('button', { name: /^CVE-2099-2000/ })
    await expect.poll(() => cves.count(), PATIENTLY).toBe(4)
    for (const first of ['CVE-2099-20000', 'CVE-2099-20003']) {
      await page.getByRole('columnheader', { name: 'CVE' }).getByRole('button').first().click()
      await expect.poll(() => cves.first().innerText(), PATIENTLY).toBe(first)
    }
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Changed' }).click()
    await page.getByRole('columnheader', { name: 'Changed' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Worst by name')
    await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('link', { name: 'What closes the most' }).click()
    await page.getByRole('heading', { name: 'What closes the most risk' }).waitFor()
    await page.getByRole('link', { name: 'Worst by name' }).click()
    await expect.poll(() => cves.first().innerText(), PATIENTLY).toBe('CVE-2099-20003')
    await page.getByRole('columnheader', { name: 'Changed' }).waitFor()
  })

  test('issue 17: a view of findings is downloaded, is a tile, and is what a report has', async () => {
    const page = await app.enter('/vulnerabilities?where=severity%20%3D%20critical&sort=cveId&direction=asc')
    await page.getByRole('button', { name: 'CVE-2099-20000' }).waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('findings.csv')
    const text = await readFile(await file.path(), 'utf8')
    expect(text.match(/CVE-2099-2000\d/g)).toEqual(PARTS.map(({ cveId }) => cveId))
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('All the worst')
    await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('link', { name: 'All the worst' }).waitFor()

    await askGraphql(page, 'mutation { saveView(name: "Unordered", view: { search: "host-" }) { id } }', {})
    await page.goto(`${app.address}/`)
    await page.getByRole('button', { name: 'Arrange' }).click()
    await page.getByRole('checkbox', { name: 'Unordered' }).click()
    await page.getByRole('checkbox', { name: 'All the worst' }).click()
    await page.getByRole('dialog').getByText('Saved', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    const unordered = page.getByRole('region', { name: 'Unordered' })
    await unordered.getByRole('link', { name: `${HOSTS} in all` }).waitFor()
    const tile = page.getByRole('region', { name: 'All the worst' })
    await tile.getByRole('link', { name: 'CVE-2099-20003' }).waitFor()
    await tile.getByRole('link', { name: '4 in all' }).click()
    await page.getByRole('button', { name: 'CVE-2099-20000' }).waitFor()

    await page.goto(`${app.address}/reports`)
    await page.getByRole('button', { name: 'New report' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByRole('combobox', { name: 'Type', exact: true }).click()
    await page.getByRole('option', { name: 'Custom' }).click()
    await form.getByRole('combobox', { name: 'A row for each' }).click()
    await page.getByRole('option', { name: 'Findings' }).click()
    await form.getByRole('combobox', { name: 'Take the condition of a saved view of findings' }).click()
    await page.getByRole('option', { name: 'All the worst' }).click()
    const where = form.getByRole('textbox', { name: 'Findings where' })
    await expect.poll(() => where.inputValue(), PATIENTLY).toBe('severity = critical and status = open')
  })

  test('a long list opens where its sender was', async () => {
    const page = await app.enter('/assets?sort=name&direction=asc')
    await page.getByRole('link', { name: 'host-000' }).waitFor()
    await page.getByRole('table').evaluate((table: { scrollTop: number }) => (table.scrollTop = 34 * 200))
    await page.waitForURL((url) => url.searchParams.get('asset.at') === '200')
    await page.getByRole('link', { name: 'host-200' }).waitFor()
    const copy = await app.enter(pathOf(page))
    await copy.getByRole('link', { name: 'host-200' }).waitFor()
    await page.getByRole('link', { name: 'host-200' }).click()
    await page.getByRole('heading', { name: 'host-200', level: 1 }).waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'host-200' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'host-000' }).count()).toBe(0)
  })
})

const panelOf = (page: Page, name: string) => page.getByRole('complementary', { name })

const pathOf = (page: Page): string => {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}

async function partnersWithApi(page: Page): Promise<number> {
  const { data } = await askGraphql<{ partners: { items: { apiEnabled: boolean }[] } }>(
    page,
    '{ partners { items { apiEnabled } } }',
  )
  return data?.partners.items.filter(({ apiEnabled }) => apiEnabled).length ?? -1
}
