import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCatalogue } from '../languages/translate.ts'
import { faultsOf } from './accessibility-faults.ts'
import { DIALOGS, SCREENS } from './all-screens.ts'
import { openApp, type App } from './app.ts'
import { bringFindings } from './findings.ts'
import { doubtfulLists } from './lists.ts'
import { needsChromium } from './needs-chromium.ts'

const PHONE = 390
const DESK = { width: 1280, height: 900 }
/** Screens with a menu in their rows. */
const MENUS = ['/api-keys', '/people'] as const
const { texts, words } = readCatalogue('de')
const german = new Set(Object.values({ ...texts, ...words }))
/** English texts that stand alone somewhere, and are no German ones, too. */
const english = new Set(Object.keys(texts).filter((it) => !/[{<]| [@/] /.test(it) && !german.has(it)))

/** Everything that can be read: text, and what fields and pictures are called; not what says that it is English, as documents do. */
const VISIBLE_TEXTS = `[
  ...[...document.querySelectorAll('body *')].filter((it) => (it.checkVisibility?.() ?? true) && !it.closest('body [lang="en"]')).flatMap((it) => [
    ...[...it.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data),
    it.getAttribute('aria-label'), it.getAttribute('placeholder'), it.getAttribute('title'), it.getAttribute('alt'),
  ]),
  document.title.replace(/ · Rollcall$/, ''),
].map((it) => it?.trim()).filter(Boolean)`

needsChromium('a person who reads German', () => {
  let app: App
  let page: Page
  beforeAll(async () => {
    app = await openApp()
    const { files, forget } = await doubtfulLists()
    for (const file of files) await app.rollcall('import', file)
    await forget()
    page = await app.enter('/settings')
    await bringFindings(app, page)
  }, 240_000)
  afterAll(() => app?.close())

  test('chooses the language, and how dates and numbers are written', async () => {
    await page.goto(`${app.address}/settings`)
    await page.getByLabel('Language', { exact: true }).selectOption({ label: 'Deutsch' })
    await page.getByLabel('Time zone').selectOption({ label: 'Asia/Tokyo' })
    await page.getByLabel('Dates').selectOption({ label: '2027-02-19' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Einstellungen' }).waitFor()
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de')
    const last = page.locator('main time').first()
    const instant = new Date((await last.getAttribute('datetime')) ?? '')
    const inTokyo = new Date(instant.getTime() + 9 * 3_600_000).toISOString()
    await expect.poll(() => last.getAttribute('title')).toBe(inTokyo.slice(0, 19).replace('T', ' '))
  })

  test('finds the language again with the next sign-in in another browser', async () => {
    const other = await app.enter('/')
    await other.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor()
    await expect.poll(() => other.title()).toBe('Übersicht · Rollcall')
    await other.context().close()
  })

  test(
    'reads no English text of the catalogue on any screen, everybody can use it, and none is wider than a phone',
    { timeout: 240_000 },
    async () => {
      const faults: string[] = []
      for (const screen of SCREENS) {
        await show(screen)
        faults.push(...(await faultsHere(screen)))
        await page.setViewportSize({ width: PHONE, height: 844 })
        await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
        faults.push(...(await textFaults(`${screen} on a phone`)))
        await page.setViewportSize(DESK)
      }
      expect(faults).toEqual([])
    },
  )

  test(
    'reads no English in dialogs and menus either, and none is wider than a phone',
    { timeout: 240_000 },
    async () => {
      const faults: string[] = []
      await page.setViewportSize({ width: PHONE, height: 844 })
      for (const [screen, button] of DIALOGS) {
        await show(screen)
        await page
          .locator('main')
          .getByRole('button', { name: texts[button] ?? button })
          .first()
          .click()
        await page.getByRole('dialog').waitFor()
        faults.push(...(await faultsHere(`${screen} ${button}`)))
      }
      for (const screen of MENUS) {
        await show(screen)
        await page
          .getByRole('button', { name: /^Aktionen für/ })
          .first()
          .click()
        await page.getByRole('menu').waitFor()
        faults.push(...(await faultsHere(`${screen}, menu`)))
      }
      expect(faults).toEqual([])
    },
  )

  test('is greeted in the language of the browser before the server knows who comes', async () => {
    const stranger = await app.visit('/sign-in', { locale: 'de-AT' })
    await stranger.getByRole('button', { name: 'Anmelden', exact: true }).waitFor()
    await expect.poll(() => stranger.locator('html').getAttribute('lang')).toBe('de')
    await stranger.context().close()
  })

  async function faultsHere(place: string): Promise<readonly string[]> {
    const faults = (await faultsOf(page)).map((fault) => `${place}: ${fault}`)
    return [...(await textFaults(place)), ...faults]
  }

  async function textFaults(place: string): Promise<readonly string[]> {
    const seen = (await page.evaluate(VISIBLE_TEXTS)) as string[]
    const unread = [...new Set(seen.filter((it) => english.has(it)))]
    const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
    return [...unread, ...(wide ? ['wider than the window'] : [])].map((fault) => `${place}: ${fault}`)
  }

  async function show(screen: string): Promise<void> {
    await page.goto(app.address + screen)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('main [role="status"][aria-label]').first().waitFor({ state: 'detached' })
  }
})
