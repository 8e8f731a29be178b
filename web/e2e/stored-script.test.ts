import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { needsChromium } from './needs-chromium.ts'
import { PAYLOADS, poisonAssets, poisonHouse, poisonRisk } from './payloads.ts'

/** Each with what shows that it has come. */
const SCREENS = [
  ['/', /onerror=/],
  ['/assets', /onerror=/],
  ['/vulnerabilities?group=none', /onerror=/],
  ['/overrides', /onerror=/],
  ['/software', /onerror=/],
  ['/duplicates', /Nothing to decide|Possibly the same/],
  ['/scans', /onerror=/],
  ['/imports', /file/],
  ['/reports', /report/],
  ['/api-keys', /onerror=/],
  ['/webhooks', /onerror=/],
  ['/deliveries', /onerror=/],
  ['/people', /onerror=/],
  ['/audit', /admin@localhost/],
  ['/settings', /onerror=/],
] as const

/** What a page has of script that came from outside; runs in the page. */
const TRACES = `[
  window.pwned && 'a script ran',
  ...(window.violations ?? []),
  ...document.querySelectorAll('img[src="x"], svg[onload], [onerror], [onfocus], a[href^="javascript" i], main script'),
].filter(Boolean).map((it) => it.outerHTML?.slice(0, 200) ?? String(it))`

needsChromium('text that would be script stays text', () => {
  let app: App
  let page: Page
  let ids: readonly string[]
  let cveId: string
  const alarms: string[] = []

  beforeAll(async () => {
    app = await openApp({ WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' })
    page = await app.enter('/')
    page.on('dialog', (dialog) => {
      alarms.push(`dialog ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('pageerror', (error) => alarms.push(String(error)))
    await page.addInitScript(`window.violations = []
      addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI))`)
    await poisonHouse(app, page)
    ids = await poisonAssets(app, page)
    cveId = await poisonRisk(app, page)
  }, 300_000)
  afterAll(() => app?.close())

  test.each(SCREENS)('on %s', async (screen, text) => {
    await show(screen)
    await page.locator('main').getByText(text).first().waitFor()
    expect(await faults()).toEqual([])
  })

  test('on the page of every asset', { timeout: 120_000 }, async () => {
    expect(ids.length).toBeGreaterThanOrEqual(PAYLOADS.length)
    for (const id of ids) {
      await show(`/assets/${id}`)
      await page.getByText('What sources say').waitFor()
      expect(await faults()).toEqual([])
      await page.getByRole('link', { name: 'Identity' }).click()
      await page.getByText('Why this is one asset').waitFor()
      for (const details of await page.locator('details > summary').all()) await details.click()
      expect(await page.evaluate(TRACES)).toEqual([])
    }
  })

  test(
    'on the page of a CVE, beside a finding and in the form of an override',
    { timeout: 120_000 },
    async () => {
      await show(`/vulnerabilities/${cveId}`)
      await page
        .locator('main')
        .getByText(/onerror=/)
        .first()
        .waitFor()
      await page.getByText('References').waitFor()
      expect(await faults()).toEqual([])
      await show('/vulnerabilities?group=none')
      const found = page.getByRole('button', { name: /^CVE-2099/ })
      await found.first().waitFor()
      for (const button of await found.all()) {
        await button.click()
        await page.getByText('What says so').waitFor()
        await page.getByRole('button', { name: 'Override…' }).click()
        await page.getByText('would disappear').waitFor()
        expect(await page.evaluate(TRACES)).toEqual([])
        await page.keyboard.press('Escape')
        await page.getByRole('dialog', { name: /^Override/ }).waitFor({ state: 'detached' })
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
      await show('/software')
      await page.getByRole('button', { name: /^1 with <img/ }).click()
      await page.getByRole('complementary').getByRole('link', { name: /^<img/ }).waitFor()
      expect(await page.evaluate(TRACES)).toEqual([])
      expect(alarms).toEqual([])
    },
  )

  test('in the palette, in dialogs and in what opens beside a list', async () => {
    await show('/')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('onerror')
    await page.getByRole('option', { name: /<img/ }).first().waitFor()
    expect(await page.evaluate(TRACES)).toEqual([])
    for (const list of ['/audit', '/deliveries']) {
      await show(list)
      await page.getByRole('row').nth(1).waitFor()
      for (const at of [1, 2, 3, 4]) {
        await page.getByRole('row').nth(at).locator('button, a').first().click()
        await page.getByRole('dialog').waitFor()
        expect(await page.evaluate(TRACES)).toEqual([])
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
    }
    await show('/webhooks')
    for (const item of ['Change…', 'Rotate secret…', 'Replay…', 'Delete…']) {
      await page
        .getByRole('button', { name: /^Actions for <img/ })
        .first()
        .click()
      await page.getByRole('menuitem', { name: item }).click()
      await page.getByRole('dialog').waitFor()
      expect(await page.evaluate(TRACES)).toEqual([])
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    expect(alarms).toEqual([])
  })

  test('in an address that somebody sends', async () => {
    const text = encodeURIComponent(PAYLOADS[0] ?? '')
    for (const path of [
      `/assets?search=${text}&tag=${text}&sort=${text}`,
      `/assets/${text}`,
      `/vulnerabilities/${text}`,
      `/vulnerabilities?text=${text}&asset=${text}`,
      `/software?text=${text}`,
      `/end-of-life?within=${text}`,
      `/deliveries?webhook=${text}`,
      `/audit?search=${text}&action=${text}`,
      `/nowhere/${text}`,
    ]) {
      await show(path)
      expect(await faults()).toEqual([])
    }
    await page.goto(`${app.address}/invitation#${text}`)
    await page.getByText('This could not be shown').waitFor()
    expect(await page.evaluate(TRACES)).toEqual([])
  })

  /** What is wrong with what is shown now; nothing, when all is text and nothing is too wide. */
  async function faults(): Promise<unknown[]> {
    const traces = (await page.evaluate(TRACES)) as string[]
    const isWide = await page.evaluate('document.documentElement.scrollWidth > 1280')
    return [...traces, ...alarms, ...(isWide ? ['too wide'] : [])]
  }

  async function show(screen: string): Promise<void> {
    await page.goto(app.address + screen)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('main [role="status"][aria-label^="Loading"]').first().waitFor({ state: 'detached' })
  }
})
