import axe, { type AxeResults } from 'axe-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { needsChromium } from './needs-chromium.ts'

needsChromium('the topology', () => {
  let app: App
  beforeAll(async () => {
    app = await openApp()
    await app.rollcall('demo')
  }, 240_000)
  afterAll(() => app?.close())

  test(
    'a line says what reports it; the keyboard walks through the boxes',
    { timeout: 180_000 },
    async () => {
      const page = await app.enter('/topology?site=*')
      const tree = page.getByRole('tree', { name: 'Map of the network' })
      await tree.getByRole('treeitem').first().waitFor()

      await page.getByRole('searchbox', { name: 'Find on the map' }).fill('osl-sw-0001')
      await page.keyboard.press('Enter')
      const panel = page.getByRole('complementary', { name: 'osl-sw-0001' })
      await panel
        .getByText(/LLDP, read by snmp/)
        .first()
        .waitFor()
      await panel.getByRole('button', { name: 'osl-sw-0002' }).click()
      await page
        .getByRole('complementary', { name: 'osl-sw-0002' })
        .getByText(/Te1\/1\/1 to Te1\/0/)
        .waitFor()
      expect(new URL(page.url()).searchParams.get('preview')).toMatch(/^[0-9a-f-]{36}$/)
      await page.getByRole('button', { name: 'Close', exact: true }).click()

      const first = tree.getByRole('treeitem').first()
      await first.focus()
      await expect.poll(() => first.getAttribute('aria-expanded')).toBe('true')
      const count = await tree.getByRole('treeitem').count()
      await page.keyboard.press('ArrowLeft')
      await expect.poll(() => first.getAttribute('aria-expanded')).toBe('false')
      await expect.poll(() => tree.getByRole('treeitem').count()).toBeLessThan(count)
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.getByRole('list', { name: 'Links' }).getByRole('listitem').first().waitFor()
      await page.getByRole('button', { name: 'Close', exact: true }).click()

      await tree.locator('g path:first-child').first().click({ force: true })
      await page.getByRole('complementary', { name: / – / }).getByText('Neighbour').first().waitFor()
    },
  )

  test(
    'what routes between which networks, and a way to the assets of one',
    { timeout: 180_000 },
    async () => {
      const page = await app.enter('/topology')
      await page.getByText('Routing', { exact: true }).click()
      await page.getByRole('treeitem', { name: /10\.0\.16\.0\/24.*Network/ }).click()
      const panel = page.getByRole('complementary', { name: '10.0.16.0/24' })
      await panel.getByText('an interface has an address in it').first().waitFor()
      await panel.getByRole('link', { name: /assets? with an address in it/ }).click()
      await page.waitForURL(/\/assets\?search=10\.0\.16\.0/)
      await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(1)
    },
  )

  test('nothing moves aside on a phone, and axe finds no serious fault', { timeout: 180_000 }, async () => {
    for (const width of [390, 1280]) {
      const page = await app.enter('/topology?site=*', { width })
      await page.getByRole('treeitem').first().waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      await page.evaluate(axe.source)
      const { violations } = await page.evaluate<AxeResults>(
        `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })`,
      )
      expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([])
    }
  })
})
