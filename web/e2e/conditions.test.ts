import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { Gestures } from './gestures.ts'
import { needsChromium } from './needs-chromium.ts'

const HOSTS = 60
const SYSTEMS = ['Windows Server 2019', 'Windows 11', 'Debian 12', '']

needsChromium('conditions in lists', () => {
  let app: App
  beforeAll(async () => {
    app = await openApp()
    const lines = Array.from({ length: HOSTS }, (_, at) => {
      const system = SYSTEMS[at % SYSTEMS.length] ?? ''
      const two = String(at).padStart(2, '0')
      return `host-${two},10.1.0.${at + 1},${system},SN-40${two},00:1b:21:00:00:${two}`
    })
    const hosts = `name,ipAddress,os,serial,macAddress\n${lines.join('\n')}\n`
    await app.rollcall('import', await app.file('hosts.csv', hosts))
  }, 240_000)
  afterAll(() => app?.close())

  test('one line asks; the address holds it, Back and a reload find it again', async () => {
    const page = await app.enter('/assets')
    const gestures = new Gestures(page)
    await page.keyboard.press('/')
    await gestures.line('os:windows and type=device and seen > -30d')
    await counts(page, '30 matches, 15 unknown')
    expect(gestures.count).toBe(1)
    const chips = page.getByRole('list', { name: 'Terms of the condition' })
    await expect
      .poll(() => chips.getByRole('button', { name: /^Edit/ }).allTextContents())
      .toEqual(['os contains windows', 'type is device', 'seen after 30 days ago'])
    await gestures.click('Remove type is device')
    await page.waitForURL((url) => url.searchParams.get('where') === 'os:windows and seen > -30d')
    await page.goBack()
    await chips.getByText('type').waitFor()
    await page.reload()
    await counts(page, '30 matches, 15 unknown')
  })

  test('the keyboard alone completes field, comparison and value, and mends a term', async () => {
    const page = await app.enter('/assets')
    const box = page.getByRole('combobox', { name: 'Search assets' })
    await page.keyboard.press('/')
    for (const [typed, option] of [
      ['os', /^os /],
      ['', /^= is/],
      ['deb', /Debian 12.*15/],
    ] as const) {
      await page.keyboard.type(typed)
      await page.getByRole('option', { name: option }).first().waitFor()
      await page.keyboard.press('ArrowDown')
      const selected = page.getByRole('option', { selected: true })
      await expect
        .poll(() => box.getAttribute('aria-activedescendant'))
        .toBe(await selected.getAttribute('id'))
      await page.keyboard.press('Enter')
    }
    await counts(page, '15 matches, 15 unknown')
    await page.keyboard.press('Backspace')
    await expect.poll(() => box.inputValue()).toBe('os = "Debian 12"')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await counts(page, '15 matches, 15 unknown')
  })

  test('the palette finds by serial, address, MAC and CVE, and begins what is to be done, in two gestures', async () => {
    const page = await app.enter('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const gestures = new Gestures(page)
    const ask = async (text: string, option: string | RegExp) => {
      gestures.count = 1
      // the palette of before is closed, and this one has the focus
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.keyboard.press('Control+k')
      await page.locator('[role="dialog"] input:focus').waitFor()
      await page.keyboard.type(text)
      await page.getByRole('option', { name: option, selected: true }).waitFor()
      await gestures.line('')
      expect(gestures.count).toBe(2)
    }
    for (const [text, host] of [
      ['SN-4007', 'host-07'],
      ['10.1.0.9', 'host-08'],
      ['001B.2100.0011', 'host-11'],
    ] as const) {
      await ask(text, new RegExp(host))
      await page.getByRole('heading', { name: host, level: 1 }).waitFor()
    }
    await ask('cve-2099-10001', /CVE-2099-10001/)
    await page.waitForURL('**/vulnerabilities/CVE-2099-10001')
    for (const [text, option, form] of [
      ['sweep', 'New scan target', 'New target'],
      ['invite', 'Invite people', /Invite/],
    ] as const) {
      await ask(text, option)
      await page.getByRole('dialog', { name: form }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
  })

  test('lists sort by the head of a column, and j goes through their rows', async () => {
    const page = await app.enter('/feeds')
    // j in the first second of a page is no second half of a shortcut
    await page.reload()
    const names = page.getByRole('region', { name: 'Feeds' }).locator('tbody td:first-child')
    await names.first().waitFor()
    await page.getByRole('button', { name: 'Feed', exact: true }).click()
    await page.locator('th[aria-sort="ascending"]').waitFor()
    const sorted = (await names.allInnerTexts()).map((text) => text.split('\n')[0] ?? '')
    expect(sorted).toEqual(sorted.toSorted((a, b) => a.localeCompare(b, 'en', { sensitivity: 'base' })))
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.locator('tbody tr:nth-child(2)[data-cursor]').waitFor()
  })

  test('a fault is marked at its place; words search as before', async () => {
    const page = await app.enter('/assets')
    await page.keyboard.press('/')
    await page.keyboard.type('os > windows')
    await page.keyboard.press('Enter')
    const fault = page.getByRole('alert')
    await fault.getByText('os takes = != :, not >').waitFor()
    await expect.poll(() => fault.locator('mark').textContent()).toBe('>')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('host-0')
    await page.waitForURL((url) => url.searchParams.get('search') === 'host-0')
    await page.getByRole('link', { name: 'host-09' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: /^host-/ }).count()).toBe(10)
    await page.goto(`${app.address}/assets?where=os+%3E`)
    await page.getByText('This condition cannot be read').waitFor()
  })

  test('50 assets are tagged in four gestures, and it is undone where it happened', async () => {
    const page = await app.enter('/assets?sort=name&direction=asc')
    const gestures = new Gestures(page)
    await page.getByRole('link', { name: 'host-00' }).waitFor()
    await gestures.click('Select host-00', 'checkbox')
    await page.getByRole('table').evaluate((table: { scrollTop: number }) => (table.scrollTop = 1_000))
    await page.getByRole('link', { name: 'host-49' }).waitFor()
    gestures.count++
    await page.getByRole('checkbox', { name: 'Select host-49' }).click({ modifiers: ['Shift'] })
    await page.getByText('50 assets selected').waitFor()
    await gestures.click('Tag')
    await page.getByRole('combobox', { name: 'Tags' }).waitFor()
    await gestures.line('edge')
    await page.getByText('Add the tag edge: done on 50 assets').waitFor()
    expect(gestures.count).toBe(4)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undo: Add the tag edge: done on 50 assets').waitFor()
  })

  test('a facet narrows; all that match are archived and restored', async () => {
    const page = await app.enter('/assets')
    const gestures = new Gestures(page)
    await gestures.click('Filters')
    const systems = page.getByRole('region', { name: 'Operating system' })
    await systems.getByRole('button', { name: /^Debian 12/ }).click()
    await systems.getByRole('button', { name: /^Not known/ }).waitFor()
    await page.waitForURL((url) => url.searchParams.get('where') === 'os = "Debian 12"')
    await counts(page, '15 matches, 15 unknown')
    await gestures.click('Select all that match', 'checkbox')
    await page.getByText('All 15 assets selected').waitFor()
    await gestures.click('Archive')
    await page.getByText('Archive: done on 15 assets').waitFor()
    await page.getByText('No asset fits these filters').waitFor()
    await gestures.click('Archived', 'link')
    await page.getByRole('link', { name: 'host-02' }).waitFor()
    await gestures.click('Select all that match', 'checkbox')
    await gestures.click('Restore')
    await page.getByText('Nothing is archived').waitFor()
    expect(gestures.count).toBe(6)
  })

  test('what a wrong sweep brought is deleted in four gestures, with the count typed', async () => {
    const page = await app.enter('/assets')
    const gestures = new Gestures(page)
    await page.keyboard.press('/')
    await gestures.line('ip:10.1.0.0/27')
    await counts(page, '31 matches')
    await gestures.click('Select all that match', 'checkbox')
    await gestures.click('Delete')
    await page.getByRole('textbox', { name: /the number of assets/ }).waitFor()
    await gestures.line('31')
    await page.getByText('Delete: done on 31 assets').waitFor()
    expect(gestures.count).toBe(4)
    await expect.poll(() => page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
    await page.getByText('No asset fits these filters').waitFor()
  })

  const counts = (page: Page, text: string) => page.locator('main p', { hasText: text }).first().waitFor()
})
