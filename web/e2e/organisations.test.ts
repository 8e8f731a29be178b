import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { askGraphql } from './graphql.ts'
import { needsChromium } from './needs-chromium.ts'

needsChromium('all organisations of a person', () => {
  let app: App
  beforeAll(async () => {
    app = await openApp()
    const list = (names: readonly string[]) =>
      ['name,serial', ...names.map((it) => `${it},SN-${it}`)].join('\n')
    await app.rollcall('import', await app.file('here.csv', list(['pc-1', 'pc-2', 'pc-3'])))
    for (const [slug, name] of [
      ['globex', 'Globex'],
      ['initech', 'Initech'],
      ['hooli', 'Hooli'],
    ] as const)
      await app.rollcall('tenant', 'create', slug, '--name', name)
    for (const slug of ['globex', 'hooli'])
      await app.rollcall('import', await app.file('there.csv', list(['srv-1'])), '--tenant', slug)
    const hank = await app.invite('hank@globex.example', 'admin', { tenant: 'globex' })
    const theirs = await app.enter('/', { as: hank })
    await askGraphql(
      theirs,
      'mutation { createRole(name: "Assets alone", permissions: ["assets:read"]) { id } }',
    )
    await theirs.context().close()
    for (const [tenant, role] of [
      ['globex', 'Assets alone'],
      ['initech', 'viewer'],
    ] as const) {
      const words = ['user', 'invite', 'admin@localhost', '--role', role, '--tenant', tenant]
      const { link } = await app.rollcall<{ link: string }>(...words)
      const page = await app.enter('/')
      await page.goto(`${app.address}/invitation#${link.split('#')[1]}`)
      await page.getByRole('button', { name: 'Join' }).click()
      await page.waitForURL(`**/t/${tenant}/**`)
      await page.context().close()
    }
  }, 240_000)
  afterAll(() => app?.close(), 60_000)

  test('each answers for itself, as far as the role there shows it', { timeout: 120_000 }, async () => {
    const page = await app.enter('/t/default/organisations')
    const row = (name: string) =>
      page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
    await row('Default').getByRole('cell').nth(2).getByText('3', { exact: true }).waitFor()
    await row('Globex').getByRole('cell').nth(2).getByText('1', { exact: true }).waitFor()
    await row('Initech').getByRole('cell').nth(2).getByText('0', { exact: true }).waitFor()
    // nothing was compared with advisories, so none is no number
    await row('Default').getByText('Not assessed').waitFor()
    for (const at of [3, 4])
      await row('Globex').getByRole('cell').nth(at).getByText('Not for your role').waitFor()
    await expect.poll(() => row('Hooli').count()).toBe(0)
    expect(new URL(page.url()).pathname).toBe('/t/default/organisations')
    expect(await serious(page)).toEqual([])
    await page.getByRole('main').getByRole('textbox', { name: 'Find an organisation' }).fill('init')
    await row('Globex').waitFor({ state: 'detached' })
    await row('Initech').getByRole('link', { name: 'Initech' }).click()
    await page.waitForURL('**/t/initech/')
  })

  test('the switch finds an organisation by its name, by keys alone', { timeout: 120_000 }, async () => {
    const page = await app.enter('/t/default/')
    await page.getByRole('button', { name: 'Default' }).press('Enter')
    const box = page.getByRole('textbox', { name: 'Find an organisation' })
    await box.waitFor()
    expect(await serious(page)).toEqual([])
    await page.keyboard.type('glob')
    await page.getByRole('link', { name: 'Initech' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await page.waitForURL('**/t/globex/')
    await page.getByRole('button', { name: 'Globex' }).click()
    await page.getByRole('link', { name: 'All organisations' }).click()
    await page.getByRole('row', { name: /Initech/ }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/t/globex/organisations')
  })

  test('one person is invited to several, and each says why not', { timeout: 120_000 }, async () => {
    const page = await app.enter('/t/default/organisations')
    for (const name of ['Default', 'Globex', 'Initech'])
      await page.getByRole('checkbox', { name: new RegExp(name) }).click()
    const bar = page.getByRole('region', { name: 'Selected organisations' })
    await bar.getByRole('button', { name: 'Invite somebody' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: /^Email/ }).fill('ada@example.org')
    await dialog.getByRole('button', { name: 'Make the invitations' }).click()
    await dialog.getByText('1 invitation made').waitFor()
    const of = (name: string) => dialog.getByRole('listitem').filter({ hasText: name })
    const link = await of('Default').locator('code').innerText()
    for (const name of ['Globex', 'Initech'])
      await expect.poll(() => of(name).locator('code').count()).toBe(0)
    expect(await serious(page)).toEqual([])
    const ada = await app.visit('/sign-in')
    await ada.goto(link)
    await ada.getByText('Default').first().waitFor()
  })

  test('on a phone nothing is cut', { timeout: 120_000 }, async () => {
    const page = await app.enter('/t/default/organisations', { width: 390 })
    await page.getByRole('button', { name: 'All columns' }).waitFor()
    await page.getByText('Not assessed').first().waitFor()
    expect(await page.locator('html').evaluate((it) => it.scrollWidth)).toBeLessThanOrEqual(390)
    expect(await serious(page)).toEqual([])
  })
})

async function serious(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}
