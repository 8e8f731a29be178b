import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsInBothSchemes } from './accessibility-faults.ts'
import { DIALOGS, SCREENS } from './all-screens.ts'
import { openApp, type App } from './app.ts'
import { bringFindings, PARTS } from './findings.ts'
import { askGraphql } from './graphql.ts'
import { doubtfulLists } from './lists.ts'
import { needsChromium } from './needs-chromium.ts'

/** Before anybody is signed in. */
const OPEN = ['/sign-in', '/sign-in?problem=not_a_member', '/reset-password#x', '/invitation#x']

const PHONE = 390
const NARROW_PHONE = 360

/** Cumulative layout shift, https://web.dev/articles/cls, where 0.1 is the limit of good. */
const LAYOUT_SHIFT_MAX = 0.05
/** All shifts of the page added up, which is at least as much as the score: that is of its worst five seconds. */
const OBSERVE_SHIFTS = `
  window.layoutShifts = { score: 0, elements: [] }
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue
      window.layoutShifts.score += value
      for (const { node } of sources) window.layoutShifts.elements.push(node?.className || node?.nodeName || 'removed')
    }
  }).observe({ type: 'layout-shift', buffered: true })`

const TWO_FRAMES =
  'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))'

interface Shifts {
  readonly score: number
  readonly elements: readonly string[]
}

needsChromium('everybody can use every screen', () => {
  let app: App
  beforeAll(async () => {
    app = await openApp()
    const { files, forget } = await doubtfulLists()
    for (const file of files) await app.rollcall('import', file)
    await forget()
    const page = await app.enter('/')
    await bringFindings(app, page)
    await page.context().close()
  }, 240_000)
  afterAll(() => app?.close())

  test('axe finds no serious fault, be it light or dark', { timeout: 480_000 }, async () => {
    const faults: string[] = []
    for (const screen of OPEN) {
      const stranger = await app.visit(screen)
      await stranger.locator('h1, h2, main p').first().waitFor()
      for (const fault of await faultsInBothSchemes(stranger)) faults.push(`${screen} ${fault}`)
      await stranger.context().close()
    }
    const page = await app.enter('/')
    for (const screen of SCREENS) {
      await show(page, screen)
      for (const fault of await faultsInBothSchemes(page)) faults.push(`${screen} ${fault}`)
    }
    for (const [screen, button] of DIALOGS) {
      await show(page, screen)
      await page.getByRole('button', { name: button }).first().click()
      await page.getByRole('dialog').waitFor()
      for (const fault of await faultsInBothSchemes(page)) faults.push(`${screen}, ${button}: ${fault}`)
    }
    await show(page, '/settings')
    await page.getByRole('button', { name: 'Set up' }).first().click()
    await page.getByRole('textbox', { name: 'Your password' }).fill(app.password)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('img', { name: /camera/ }).waitFor()
    for (const fault of await faultsInBothSchemes(page)) faults.push(`second factor: ${fault}`)
    await show(page, '/vulnerabilities?group=none')
    await page.getByRole('button', { name: PARTS[0]?.cveId ?? '' }).click()
    await page.getByText('What says so').waitFor()
    for (const fault of await faultsInBothSchemes(page)) faults.push(`a finding: ${fault}`)
    await page.getByRole('button', { name: 'Override…' }).click()
    await page.getByText('would disappear').waitFor()
    for (const fault of await faultsInBothSchemes(page)) faults.push(`an override: ${fault}`)
    await show(page, '/software')
    await page
      .getByRole('button', { name: /^1 with/ })
      .first()
      .click()
    await page.getByRole('complementary').getByRole('link', { name: 'depot-1' }).waitFor()
    for (const fault of await faultsInBothSchemes(page)) faults.push(`assets with a software: ${fault}`)
    const { data } = await askGraphql<{ assets: { items: { id: string }[] } }>(
      page,
      '{ assets(first: 1) { items { id } } }',
    )
    for (const tab of ['overview', 'software', 'findings', 'network', 'identity', 'changes']) {
      await show(page, `/assets/${data?.assets.items[0]?.id}?tab=${tab}`)
      for (const fault of await faultsInBothSchemes(page)) faults.push(`an asset, ${tab}: ${fault}`)
    }
    await show(page, '/assets?where=os:windows+or+has+name')
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('checkbox', { name: 'Select all that match' }).click()
    await page.getByRole('combobox', { name: 'Search assets' }).click()
    await page.getByRole('option').first().waitFor()
    for (const fault of await faultsInBothSchemes(page))
      faults.push(`a condition, filters and a selection: ${fault}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').waitFor()
    for (const fault of await faultsInBothSchemes(page)) faults.push(`deleting many: ${fault}`)
    await show(page, '/duplicates')
    await page.getByRole('button', { name: 'Merge…' }).click()
    await page.getByRole('region', { name: 'They would be' }).waitFor()
    for (const fault of await faultsInBothSchemes(page)) faults.push(`merge: ${fault}`)
    expect(faults).toEqual([])
  })

  test.each([1_280, PHONE])(
    'no screen %d pixels wide moves while it loads, or is wider than a narrow phone',
    { timeout: 240_000 },
    async (width) => {
      const page = await app.enter('/', { width })
      await page.addInitScript(OBSERVE_SHIFTS)
      const { data } = await askGraphql<{ assets: { items: { id: string }[] } }>(
        page,
        '{ assets(first: 1) { items { id } } }',
      )
      const moved: string[] = []
      const wide: string[] = []
      for (const screen of [...OPEN, ...SCREENS, `/assets/${data?.assets.items[0]?.id}`]) {
        await page.goto(app.address + screen)
        await page.locator('h1:visible, main p:visible').first().waitFor()
        const { score, elements } = await shiftsOf(page)
        if (score > LAYOUT_SHIFT_MAX) moved.push(`${screen} ${score.toFixed(3)} ${elements.join(', ')}`)
        if (width === PHONE && (await isTooWide(page))) wide.push(screen)
      }
      expect({ moved, wide }).toEqual({ moved: [], wide: [] })
    },
  )

  async function show(page: Page, screen: string): Promise<void> {
    await page.goto(app.address + screen)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('main [role="status"][aria-label^="Loading"]').first().waitFor({ state: 'detached' })
  }
})

/** After everything asked for has been drawn: a shift is reported with the frame that follows. */
async function shiftsOf(page: Page): Promise<Shifts> {
  await page.locator('[aria-label^="Loading"]').first().waitFor({ state: 'detached' })
  await page.evaluate(TWO_FRAMES)
  return page.evaluate('window.layoutShifts') as Promise<Shifts>
}

/** On a phone narrower than that on which it was loaded. */
async function isTooWide(page: Page): Promise<boolean> {
  await page.setViewportSize({ width: NARROW_PHONE, height: 900 })
  await page.evaluate(TWO_FRAMES)
  const isWide = (await page.evaluate(`document.documentElement.scrollWidth > ${NARROW_PHONE}`)) as boolean
  await page.setViewportSize({ width: PHONE, height: 900 })
  return isWide
}
