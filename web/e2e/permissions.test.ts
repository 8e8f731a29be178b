import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App, type Person } from './app.ts'
import { askGraphql } from './graphql.ts'
import { doubtfulLists } from './lists.ts'
import { needsChromium } from './needs-chromium.ts'

const FORBIDDEN = ['New target', 'New key', 'New webhook', 'Invite', 'New role', 'Merge…', 'Delete', 'Sweep']

needsChromium('what a role does not allow', () => {
  let app: App
  let viewer: Person
  beforeAll(async () => {
    app = await openApp()
    viewer = await app.invite('viewer@example.org', 'viewer')
    const { files, forget } = await doubtfulLists()
    for (const file of files) await app.rollcall('import', file)
    await forget()
    await app.rollcall('target', 'create', '--name', 'Office', '--cidr', '10.20.0.0/24')
  }, 120_000)
  afterAll(() => app?.close())

  test('a reader is offered no button that would be refused, and no place', async () => {
    const page = await app.enter('/', { as: viewer })
    await page
      .getByRole('navigation')
      .first()
      .getByRole('link', { name: /^Assets/ })
      .waitFor()
    const places = await page.getByRole('navigation').first().getByRole('link').allInnerTexts()
    expect(places.join(' ')).not.toMatch(/API keys|Webhooks|Users and roles|Audit log/)
    const offered: string[] = []
    for (const screen of [
      '/',
      '/assets',
      '/duplicates',
      '/scans',
      '/imports',
      '/reports',
      '/settings',
      await anAsset(page),
    ]) {
      await page.goto(app.address + screen)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('main [role="status"][aria-label^="Loading"]').first().waitFor({ state: 'detached' })
      const buttons = await page.getByRole('button', { disabled: false }).allInnerTexts()
      for (const text of buttons) if (FORBIDDEN.includes(text.trim())) offered.push(`${screen} ${text}`)
      await expect.poll(() => page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0)
    }
    expect(offered).toEqual([])
  })

  test('places that a role does not open say so', async () => {
    const page = await app.enter('/', { as: viewer })
    for (const screen of ['/api-keys', '/webhooks', '/partners', '/people', '/audit']) {
      await page.goto(app.address + screen)
      await page.getByText('Your role does not reach this').first().waitFor()
      await expect.poll(() => page.getByRole('cell').count()).toBe(0)
    }
  })

  test('a forced action is refused, and the refusal names the permission', async () => {
    const page = await app.enter('/', { as: viewer })
    const forced = await askGraphql(page, 'mutation { createTarget(name: "x", cidr: "10.0.0.0/24") { id } }')
    expect(forced.errors).toMatchObject([
      { message: expect.stringContaining('scans:write'), extensions: { code: 'forbidden' } },
    ])
    const left = await askGraphql(page, '{ targets { name } }')
    expect(left.data).toEqual({ targets: [{ name: 'Office' }] })
  })

  test('a role that shrinks while a form is open is told in the form', async () => {
    const operator = await app.invite('operator@example.org', 'operator')
    const page = await app.enter('/scans', { as: operator })
    await page.getByRole('button', { name: 'New target' }).first().click()
    const form = page.getByRole('dialog', { name: 'New target' })
    await form.getByLabel('Name').fill('Plant')
    await form.getByRole('textbox', { name: 'Network' }).fill('10.30.0.0/24')
    await shrink(await app.enter('/people'), operator.email)
    await form.getByRole('button', { name: 'Add target' }).click()
    await form.getByRole('alert').getByText('scans:write').waitFor()
    await page.reload()
    await page.getByText('Office').first().waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'New target' }).count()).toBe(0)
  })
})

async function shrink(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${email}` }).click()
  await page.getByRole('menuitem', { name: /role/i }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('combobox', { name: 'Role' }).click()
  await page.getByRole('option', { name: 'viewer' }).click()
  await form.getByRole('button').last().click()
  await form.waitFor({ state: 'detached' })
}

async function anAsset(page: Page): Promise<string> {
  const { data } = await askGraphql<{ assets: { items: { id: string }[] } }>(
    page,
    '{ assets(first: 1) { items { id } } }',
  )
  return `/assets/${data?.assets.items[0]?.id}`
}
