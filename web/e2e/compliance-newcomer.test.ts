import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { needsChromium } from './needs-chromium.ts'

const FRAMEWORK = 'nist-csf-2.0'
/** What people read in a minute, by the slower of them. */
const WORDS_OF_A_MINUTE = 200
const SCREENS = [
  '/compliance',
  `/compliance/${FRAMEWORK}`,
  `/compliance/${FRAMEWORK}/controls/PR.IR-01`,
  '/compliance/checks/no-telnet',
  '/compliance/exceptions',
]

needsChromium('compliance for somebody who is new to it', () => {
  let app: App
  beforeAll(async () => {
    app = await openApp()
    await app.rollcall('demo', '--assets', '300')
    await app.rollcall('compliance', 'drop', FRAMEWORK)
  }, 240_000)
  afterAll(() => app?.close())

  test('what fails, why, and what to do first: three gestures, and a minute to read', async () => {
    const page = await app.enter('/', { width: 1440 })
    await page.getByRole('link', { name: 'Compliance', exact: true }).click()
    await page.getByRole('button', { name: 'Adopt NIST Cybersecurity Framework' }).click()

    const [stands, first] = [panel(page, 'Where it stands'), panel(page, 'What to do first')]
    const row = first.getByRole('row').nth(1)
    await row.waitFor()
    await expect.poll(() => stands.textContent()).toMatch(/\d+ of \d+ controls that are judged fail/)
    const check = row.getByRole('link').first()
    const title = (await check.textContent()) ?? ''
    await expect.poll(() => row.textContent()).toMatch(/\.\s*critical\s*\d+\sof\s\d+/i)
    const words = [await stands.innerText(), await first.innerText()].join(' ').split(/\s+/).length
    expect(words).toBeLessThan(WORDS_OF_A_MINUTE)

    await check.click()
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    await page.getByText('What to do next:').waitFor()
    const failing = panel(page, 'Assets not in order').getByRole('row').nth(1)
    await expect.poll(() => failing.textContent()).toContain('Fails')

    await failing.getByRole('link').click()
    const parts = page.getByRole('navigation', { name: 'Parts of the asset' })
    await parts.getByRole('link', { name: 'Compliance' }).click()
    const here = panel(page, 'Checks that fail here').getByRole('link', { name: title })
    await here.waitFor()
  })

  test.each(['light', 'dark'] as const)('no column is cut at 390 pixels (%s)', async (colorScheme) => {
    const page = await app.enter('/compliance', { width: 390, colorScheme })
    await page.getByRole('heading', { name: 'Compliance', level: 1 }).waitFor()
    const cut: string[] = []
    for (const screen of SCREENS) {
      await page.goto(app.address + screen)
      await page.getByRole('table').first().waitFor()
      await page.locator('main [role="status"]').first().waitFor({ state: 'detached' })
      cut.push(...(await cutTables(page)).map((table) => `${screen}: ${table}`))
    }
    expect(cut).toEqual([])
  })
})

const panel = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })

/** The labels of tables that are wider than what holds them. */
const cutTables = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('main table')]
    .filter((table) => table.scrollWidth > (table.parentElement?.clientWidth ?? 0) + 1)
    .map((table) => table.parentElement?.getAttribute('aria-label') ?? table.textContent)`)
