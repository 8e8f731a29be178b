import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { needsChromium } from './needs-chromium.ts'

needsChromium('compliance', () => {
  let app: App
  beforeAll(async () => {
    app = await openApp()
    const file = join(mkdtempSync(join(tmpdir(), 'compliance-')), 'hosts.csv')
    writeFileSync(file, 'name,os\nweb-1,Windows Server 2008 R2\n')
    await app.rollcall('import', file)
  }, 240_000)
  afterAll(() => app?.close())

  test(
    'a person adopts a framework and reads what fails and what to do first',
    { timeout: 120_000 },
    async () => {
      const page = await app.enter('/compliance')
      await page.getByText('No framework adopted').waitFor()
      await page.getByRole('button', { name: 'Adopt NIST Cybersecurity Framework' }).click()
      await page.getByText('What to do first').waitFor()
      await page.getByText('controls that are judged pass').waitFor()
      const first = page.getByRole('region', { name: 'Checks that fail' }).getByRole('row')
      expect(await first.nth(1).textContent()).toMatch(/\d+\sof\s\d+/)
      expect(await page.getByText('ID.AM-01').first().isVisible()).toBe(true)
    },
  )
})
