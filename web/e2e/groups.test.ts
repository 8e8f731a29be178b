import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { needsChromium } from './needs-chromium.ts'

needsChromium('groups, and rules of the archive', () => {
  let app: App
  beforeAll(async () => {
    app = await openApp()
    const hosts = ['srv-1', 'srv-2', 'pc-1'].map((name, at) => `${name},10.0.0.${at + 1},SN-${name}-7`)
    await app.rollcall('import', await app.file('hosts.csv', ['name,ipAddress,serial', ...hosts].join('\n')))
  }, 240_000)
  afterAll(() => app?.close())

  test(
    'a group is made from a condition, counted, used, changed and deleted',
    { timeout: 180_000 },
    async () => {
      const page = await app.enter('/groups')
      await page.getByText('No groups yet').waitFor()
      await page.getByRole('button', { name: 'New group' }).click()
      const form = page.getByRole('dialog', { name: 'New group' })
      await form.getByLabel('Name').fill('Servers')
      await form.getByRole('button', { name: 'Make group' }).click()
      await form.getByText('Say which assets are meant.').waitFor()
      const box = form.getByRole('combobox', { name: 'Assets where' })
      await box.fill('name:srv')
      await form.getByText('2 matches').waitFor()
      await box.press('Enter')
      await form.getByRole('button', { name: 'Make group' }).click()
      const table = page.getByRole('region', { name: 'Groups' })
      await table.getByRole('row', { name: /Servers.*name:srv.*2/ }).waitFor()

      await app.rollcall(
        'key',
        'create',
        '--name',
        'scanner',
        '--scopes',
        'read',
        '--where',
        'group = Servers',
      )
      await page.reload()
      await table.getByText('API key scanner').waitFor()
      await page.getByRole('button', { name: 'Actions for Servers' }).click()
      await page.getByRole('menuitem', { name: 'Delete group' }).click()
      await page.getByRole('button', { name: 'Delete group' }).click()
      await page.getByText(/the API key scanner asks about it/i).waitFor()

      await table.getByRole('link', { name: 'Servers' }).click()
      await page.getByRole('link', { name: 'srv-2' }).waitFor()
      await expect.poll(() => page.getByRole('link', { name: 'pc-1' }).count()).toBe(0)
    },
  )

  test('archive rules say what they would do, do it, and it is undone', { timeout: 180_000 }, async () => {
    const page = await app.enter('/archive')
    await page.getByText('nothing is archived by itself').waitFor()
    await page.getByRole('button', { name: 'Add rule' }).click()
    const rule = page.getByRole('group', { name: 'Rule 1' })
    await rule.getByLabel('Days unseen').fill('30')
    await page.getByText(/would archive 0 assets now/).waitFor()
    await rule.getByLabel('Kind of source').fill('Not A Kind')
    await page.getByText(/no kind of source/).waitFor()
    await rule.getByLabel('Kind of source').fill('csv')
    await page.getByText(/would archive 0 assets now/).waitFor()
    await page.getByRole('button', { name: 'Save rules' }).click()
    await page.getByText(/applied every hour/).waitFor()
    const archived = page.getByRole('region', { name: 'What is archived' })
    await expect.poll(() => archived.getByRole('link', { name: '0 assets' }).count()).toBe(4)
    await archived.getByRole('link').first().click()
    await page.waitForURL(/archived_by/)
  })
})
