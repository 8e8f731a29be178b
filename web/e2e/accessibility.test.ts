import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { needsChromium } from './needs-chromium.ts'

const SCREENS = [
  '/',
  '/assets',
  '/duplicates',
  '/scans',
  '/credentials',
  '/host-keys',
  '/imports',
  '/api-keys',
  '/webhooks',
  '/deliveries',
  '/people',
  '/audit',
  '/settings',
]

/** What opens over a screen, by the button that opens it. */
const DIALOGS = [
  ['/scans', 'New target'],
  ['/credentials', 'New credential'],
  ['/api-keys', 'New key'],
  ['/webhooks', 'New webhook'],
  ['/people', 'New role'],
  ['/settings', 'Change password'],
] as const

needsChromium('everybody can use every screen', () => {
  let app: App
  beforeAll(async () => {
    app = await openApp()
  }, 120_000)
  afterAll(() => app?.close())

  test.each(['light', 'dark'] as const)('axe finds no serious fault in %s', async (colorScheme) => {
    const stranger = await app.visit('/sign-in', { colorScheme })
    await stranger.getByRole('heading', { level: 1 }).waitFor()
    const faults = await faultsOf(stranger)
    const page = await app.enter('/', { colorScheme })
    for (const screen of SCREENS) {
      await show(page, screen)
      for (const fault of await faultsOf(page)) faults.push(`${screen} ${fault}`)
    }
    for (const [screen, button] of DIALOGS) {
      await show(page, screen)
      await page.getByRole('button', { name: button }).first().click()
      await page.getByRole('dialog').waitFor()
      for (const fault of await faultsOf(page)) faults.push(`${screen}, ${button}: ${fault}`)
    }
    expect(faults).toEqual([])
  })

  test('nothing is wider than a narrow phone', async () => {
    const page = await app.enter('/', { width: 360 })
    const wide: string[] = []
    for (const screen of SCREENS) {
      await show(page, screen)
      if (await page.evaluate('document.documentElement.scrollWidth > 360')) wide.push(screen)
    }
    expect(wide).toEqual([])
  })

  async function show(page: Page, screen: string): Promise<void> {
    await page.goto(app.address + screen)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('main [role="status"][aria-label^="Loading"]').first().waitFor({ state: 'detached' })
  }
})

/** Serious and critical ones, each with where it is. */
async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate(
    `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })`,
  )) as AxeResults
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}
