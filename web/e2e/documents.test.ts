import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readDocuments } from '../docs/site.ts'
import { openApp, type App } from './app.ts'
import { needsChromium } from './needs-chromium.ts'

const START = readFileSync(join(import.meta.dirname, '../../docs/start.md'), 'utf8')
const DONE_MS = 120_000
const PHONE = 390

needsChromium('the documents', () => {
  let app: App
  beforeAll(async () => {
    app = await openApp()
  }, 120_000)
  afterAll(() => app?.close())

  describe('are pages of the server', () => {
    test.each(['/docs', '/docs/install', '/docs/commands', '/docs/webhooks', '/docs/api'])(
      '%s reads on a phone without faults of accessibility',
      async (path) => {
        for (const colorScheme of path === '/docs' ? (['light', 'dark'] as const) : (['light'] as const)) {
          const page = await app.visit(path, { colorScheme, width: PHONE })
          const faults = await faultsOf(page)
          const width = await page.evaluate<number>('document.documentElement.scrollWidth')
          expect([path, colorScheme, width, faults]).toEqual([path, colorScheme, PHONE, []])
          await page.context().close()
        }
      },
    )

    test('the search finds a part, and the keyboard opens it', async () => {
      const page = await app.visit('/docs')
      await page.keyboard.press('/')
      await page.keyboard.type('checking signature')
      await page.getByRole('link', { name: /^Checking the signature/ }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/docs/webhooks#checking-the-signature')
      const part = page.getByRole('heading', { name: /^Checking the signature/ })
      await expect.poll(() => part.isVisible()).toBe(true)
      await page.context().close()
    })

    test('what is not there says so, with the menu', async () => {
      const page = await app.visit('/docs/nothing-like-this')
      await page.getByRole('heading', { name: 'There is no such document' }).waitFor()
      const answer = await page.goto(`${app.address}/docs/install`)
      expect([answer?.status(), await page.title()]).toEqual([200, 'Install · Rollcall documents'])
      await page.goto(`${app.address}/docs/`)
      expect(new URL(page.url()).pathname).toBe('/docs')
      await page.context().close()
    })
  })

  test('the first five minutes go as they are written', { timeout: 4 * DONE_MS }, async () => {
    const page = await app.visit('/')
    const said = { 'the printed address': 'admin@localhost', 'the printed password': app.password }
    const steps = START.split('\n## What comes next')[0]?.match(/^\d+\. .*$/gm) ?? []
    expect(steps.length).toBeGreaterThan(8)
    for (const step of steps) await follow(page, step, said)
    await page.getByRole('heading', { level: 1, name: '127.0.0.1' }).waitFor()
    await page.context().close()
  })

  test('every screen that is linked opens', { timeout: 4 * DONE_MS }, async () => {
    const page = await app.enter('/')
    const links = [...readDocuments().values()].flatMap(({ html }) =>
      [...html.matchAll(/href="(\/(?!docs)[^"]*)"/g)].map(([, target = '']) => target),
    )
    for (const path of new Set(links)) {
      await page.goto(app.address + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect([path, await page.getByText('There is nothing here').count()]).toEqual([path, 0])
    }
    await page.context().close()
  })
})

async function faultsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults>('axe.run()')
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

/**
 * Does what a step says: "type A into **B**", "press **C**", "open [D](/d)". Whatever else is bold has to be on the screen.
 * `said` is what stands for words that are another each time.
 */
async function follow(page: Page, step: string, said: Readonly<Record<string, string>>): Promise<void> {
  const WORDS =
    /(?:`([^`]+)`|(the printed \w+)) into \*\*([^*]+)\*\*|[Pp]ress \*\*([^*]+)\*\*|[Oo]pen \[[^\]]+\]\(([^)]+)\)|\*\*([^*]+)\*\*/g
  for (const [, typed, told = '', field, pressed, opened, seen] of step.matchAll(WORDS)) {
    if (field)
      await page
        .getByRole(field === 'Search assets' ? 'combobox' : 'textbox', { name: field })
        .fill(typed ?? said[told] ?? '')
    if (pressed)
      await page
        .getByRole('button', { name: pressed, exact: true })
        .or(page.getByRole('link', { name: pressed, exact: true }))
        .first()
        .click()
    if (opened) await page.goto(new URL(opened, page.url()).href)
    if (seen) await page.getByText(seen).first().waitFor({ timeout: DONE_MS })
  }
  await page.locator('#content, h1').first().waitFor()
}
