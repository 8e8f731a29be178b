import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App, type Person } from './app.ts'
import { PARTS } from './findings.ts'
import { Gestures } from './gestures.ts'
import { needsChromium } from './needs-chromium.ts'
import { bringWorkingDay, officeName, WRONG } from './working-day.ts'

const CVE = PARTS[0]?.cveId ?? ''

needsChromium('a working day: how many clicks, keys and lines each task takes', () => {
  let app: App
  let page: Page
  let colleague: Person
  beforeAll(async () => {
    app = await openApp()
    await bringWorkingDay(app)
    colleague = await app.invite('bob@example.org', 'admin')
    page = await app.enter('/')
  }, 240_000)
  afterAll(() => app?.close(), 60_000)

  /** Where the task begins. */
  async function at(path: string, who = page): Promise<Gestures> {
    await who.goto(app.address + path)
    await who.getByRole('heading', { level: 1 }).waitFor()
    return new Gestures(who)
  }
  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
  const counts = (text: string) => page.locator('main p', { hasText: text }).first().waitFor()

  async function found(text: string, name: string): Promise<Gestures> {
    const gestures = await at('/changes')
    await gestures.key('Control+k')
    await page.locator('[role="dialog"] input:focus').waitFor()
    await gestures.text(text)
    await page.getByRole('option', { name: new RegExp(name), selected: true }).waitFor()
    await page.keyboard.press('Enter')
    return gestures
  }

  test.each([
    ['serial number', 'SN-4007', officeName(7)],
    ['address', '10.1.0.9', officeName(8)],
    ['MAC address, however it is written', '001B.2100.0011', officeName(11)],
  ])('1 to 3. find by %s: two gestures', async (_, text, name) => {
    const gestures = await found(text, name)
    await heading(name)
    expect(gestures.count).toBe(2)
  })

  test('4. which assets have a CVE: two gestures', async () => {
    const gestures = await found(CVE.toLowerCase(), CVE)
    await page.getByRole('link', { name: 'depot-1' }).waitFor()
    expect(gestures.count).toBe(2)
  })

  test('5. Windows servers, unseen for 30 days, with critical findings: one line', async () => {
    const gestures = await at('/assets')
    await page.getByRole('table').getByRole('link').first().waitFor()
    await gestures.line('/os:windows and type=server and seen < -30d and any finding(severity=critical)')
    await page.getByText('No asset fits these filters').waitFor()
    expect(gestures.count).toBe(1)
    await gestures.click(/^Remove seen/)
    await page.getByRole('link', { name: 'depot-1' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: /files-1|pc-/ }).count()).toBe(0)
  })

  test('6. tag 50 assets: four gestures, and one takes it back', async () => {
    const gestures = await at('/assets?sort=name&direction=asc&search=pc-')
    await gestures.click(`Select ${officeName(0)}`, 'checkbox')
    await page.getByRole('table').evaluate((table: { scrollTop: number }) => (table.scrollTop = 1_000))
    await gestures.clickOn(page.getByRole('checkbox', { name: `Select ${officeName(49)}` }), ['Shift'])
    await page.getByText('50 assets selected').waitFor()
    await gestures.click('Tag')
    await page.getByRole('combobox', { name: 'Tags' }).waitFor()
    await gestures.line('edge')
    await page.getByText('Add the tag edge: done on 50 assets').waitFor()
    expect(gestures.count).toBe(4)
    await page.reload()
    await page.getByText('Add the tag edge: done on 50 assets').waitFor()
    await gestures.click('Undo')
    await page.getByText('Undo: Add the tag edge: done on 50 assets').waitFor()
    expect(gestures.count).toBe(5)
  })

  test('7. set the owner of many: three gestures', async () => {
    const gestures = await at('/assets?where=tag+%3D+office')
    await gestures.click('Select all that match', 'checkbox')
    await gestures.click('Owner')
    await page.locator('[role="dialog"] input:focus').waitFor()
    await gestures.line('front office')
    await page.getByText('Owner front office: done on 60 assets').waitFor()
    expect(gestures.count).toBe(3)
  })

  test('8. say how critical many are: three gestures', async () => {
    const gestures = await at('/assets?where=tag+%3D+office')
    await gestures.click('Select all that match', 'checkbox')
    await gestures.click('Criticality')
    await gestures.click('Low', 'button', page.getByRole('dialog'))
    await page.getByText('Criticality low: done on 60 assets').waitFor()
    expect(gestures.count).toBe(3)
  })

  test('9. who changed this, and what it was before: two gestures', async () => {
    const gestures = await at('/assets?search=pc-07')
    await gestures.click(officeName(7), 'link')
    await gestures.click('Changes', 'link', page.getByRole('navigation', { name: 'Parts of the asset' }))
    const owner = page
      .getByRole('region', { name: 'Who changed what' })
      .getByRole('listitem')
      .filter({ hasText: 'owner:' })
    await owner.getByText('front office').waitFor()
    await owner.getByText(/admin@localhost/).waitFor()
    expect(gestures.count).toBe(2)
  })

  test('10. why the score is what it is: one gesture', async () => {
    const gestures = await at('/assets?search=depot-1')
    await gestures.click('depot-1', 'link')
    const risk = page.getByRole('region', { name: 'Risk' })
    await risk.getByText('of 100, from').waitFor()
    await risk.getByRole('link', { name: CVE }).waitFor()
    expect(gestures.count).toBe(1)
  })

  test('11. what listens on a box: two gestures', async () => {
    const gestures = await at('/assets?search=lobby-printer')
    await gestures.click('lobby-printer', 'link')
    await gestures.click('Network', 'link', page.getByRole('navigation', { name: 'Parts of the asset' }))
    const row = page.getByRole('region', { name: 'Open ports' }).getByRole('row', { name: /443/ })
    await row.getByText('Embedded Web 3.1').waitFor()
    expect(gestures.count).toBe(2)
  })

  test('12. findings by what closes the most risk: one gesture', async () => {
    const gestures = await at('/')
    await gestures.click('Vulnerabilities', 'link')
    await page.getByRole('heading', { name: 'What closes the most risk' }).waitFor()
    await page.getByRole('row', { name: /part-0.*2\.1\.0.*100/ }).waitFor()
    expect(gestures.count).toBe(1)
  })

  test('13. what changed since yesterday: one gesture', async () => {
    const gestures = await at('/')
    await page.getByRole('region', { name: 'Since yesterday' }).getByRole('link').first().waitFor()
    await gestures.click('New assets', 'link', page.getByRole('region', { name: 'Since yesterday' }))
    await heading('Changes')
    await page
      .getByRole('button', { name: /\d+ changes/ })
      .first()
      .waitFor()
    expect(gestures.count).toBe(1)
  })

  test('14. accept a CVE for one tag until a day: six gestures', async () => {
    const gestures = await at(`/vulnerabilities/${CVE}`)
    await gestures.click('Override…')
    const form = page.getByRole('dialog', { name: `Override ${CVE}` })
    await form.locator('textarea:focus').waitFor()
    await gestures.text('Nothing reaches the depot')
    await gestures.clickOn(form.getByRole('combobox', { name: 'It applies to' }))
    await gestures.click('Assets tagged depot', 'option')
    await gestures.click('30 days')
    await gestures.click('Create override')
    await page.getByText('Proposed; it counts when somebody else approves it').waitFor()
    const row = page.getByRole('row').filter({ hasText: 'Waits for approval' })
    await row.getByText('assets tagged depot').waitFor()
    expect(gestures.count).toBe(6)
  })

  test('15. a colleague sees that it waits, and approves it: four gestures', async () => {
    const theirs = await app.enter('/', { as: colleague })
    const gestures = new Gestures(theirs)
    await gestures.click('Overrides', 'link', theirs.getByRole('region', { name: 'Waits for you' }))
    await gestures.click(`Actions for the override of ${CVE}`)
    await gestures.click('Approve…', 'menuitem')
    await gestures.click('Approve', 'button', theirs.getByRole('dialog'))
    await theirs.getByText('Approved; it is in force').waitFor()
    expect(gestures.count).toBe(4)
    await theirs.context().close()
  })

  test('16. invite somebody with a limited role: six gestures', async () => {
    const gestures = await at('/')
    await gestures.key('Control+k')
    await page.locator('[role="dialog"] input:focus').waitFor()
    await gestures.line('invite')
    const form = page.getByRole('dialog', { name: 'Invite somebody' })
    await form.locator('input:focus').waitFor()
    await gestures.text('lobby@example.org')
    await gestures.clickOn(form.getByRole('combobox', { name: 'Role' }))
    await gestures.click('Lobby', 'option')
    await gestures.click('Make the invitation')
    await page.getByRole('dialog', { name: 'Invitation for lobby@example.org' }).waitFor()
    expect(gestures.count).toBe(6)
  })

  test('17. share what one sees: its address is enough, and a colleague keeps it in two gestures', async () => {
    await at('/assets')
    await page.keyboard.type('/os:windows and tag=depot')
    await page.keyboard.press('Enter')
    await counts('2 matches')
    const { pathname, search } = new URL(page.url())
    const theirs = await app.enter(pathname + search, { as: colleague })
    await theirs.getByRole('link', { name: 'files-1' }).waitFor()
    await expect.poll(() => theirs.getByRole('link', { name: /pc-/ }).count()).toBe(0)
    const gestures = new Gestures(theirs)
    await gestures.click('Save view')
    await theirs.locator('[role="dialog"] input:focus').waitFor()
    await gestures.line('Depot')
    await theirs.getByRole('navigation', { name: 'Saved views' }).getByText('Depot').waitFor()
    expect(gestures.count).toBe(2)

    await gestures.click('Share the view Depot')
    await theirs.getByText('Everybody has this view').waitFor()
    expect(gestures.count).toBe(3)
    await at('/assets')
    const shared = page.getByRole('navigation', { name: 'Saved views' }).getByRole('link', { name: /^Depot/ })
    await shared.getByLabel(/^shared by /).waitFor()
    await shared.click()
    await counts('2 matches')
    await theirs.context().close()
  })

  test('18. scan a range: one gesture', async () => {
    const gestures = await at('/scans')
    await gestures.click('Sweep Loopback')
    await page.getByText(/^Sweep of .* started$/).waitFor()
    expect(gestures.count).toBe(1)
  })

  test('19. archive what is old: two gestures, and one takes it back', async () => {
    const gestures = await at('/assets?where=seen+%3C+-30d')
    await gestures.click('Select all that match', 'checkbox')
    await gestures.click('Archive')
    await page.getByText('Archive: done on 1 asset').waitFor()
    expect(gestures.count).toBe(2)
    await gestures.click('Undo')
    await page.getByRole('link', { name: 'files-1' }).waitFor()
    expect(gestures.count).toBe(3)
  })

  test('20. delete what a wrong sweep brought: four gestures', async () => {
    const gestures = await at('/assets')
    await page.getByRole('table').getByRole('link').first().waitFor()
    await gestures.line('/ip:10.66.0.0/24')
    await counts(`${WRONG} match`)
    await gestures.click('Select all that match', 'checkbox')
    await gestures.click('Delete')
    await page.getByRole('textbox', { name: /the number of assets/ }).waitFor()
    await gestures.line(String(WRONG))
    await page.getByText(`Delete: done on ${WRONG} assets`).waitFor()
    expect(gestures.count).toBe(4)
  })
})
