import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { needsChromium } from './needs-chromium.ts'

const AGENT = join(import.meta.dirname, '../../agent/bin/rollcall-agent.mjs')

needsChromium('agents', () => {
  let app: App
  let folder: string

  beforeAll(async () => {
    app = await openApp()
    folder = await mkdtemp(join(tmpdir(), 'rollcall-agent-'))
    await mkdir(join(folder, 'root/proc/sys/kernel'), { recursive: true })
    await writeFile(join(folder, 'root/proc/sys/kernel/hostname'), 'web-01\n')
  }, 120_000)
  afterAll(async () => {
    await app?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const agent = (...words: string[]) =>
    promisify(execFile)(process.execPath, [
      AGENT,
      ...words,
      '--state',
      join(folder, 'state'),
      '--root',
      join(folder, 'root'),
    ])

  test('three lines are shown, the first report turns the dialog green, and the agent is revoked', async () => {
    const page = await app.enter('/agents')
    await page.getByRole('button', { name: 'Add agents' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add agents' })
    await dialog.getByRole('button', { name: 'Show the lines' }).click()
    const line = await dialog.getByText(/rollcall-agent enrol/).innerText()
    await expect.poll(() => dialog.getByRole('button', { name: /^Copy/ }).count()).toBe(3)
    await dialog.getByText('Waiting for the first report').waitFor()
    const [, site = '', secret = ''] = /enrol (\S+) (rce_[0-9a-f]{64})$/.exec(line) ?? []
    expect(site).toBe(app.address)
    await agent('enrol', site, secret)
    await dialog.getByText('Reporting: web-01').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('link', { name: 'web-01' }).waitFor()
    await expect.poll(() => page.getByText(secret).count()).toBe(0)

    await page.getByRole('button', { name: 'Actions for web-01' }).click()
    await page.getByRole('menuitem', { name: 'New key' }).click()
    await page.getByText('The agent makes a new key with its next report').waitFor()
    await agent('run', '--now')
    await page.getByRole('button', { name: 'Actions for web-01' }).click()
    await page.getByRole('menuitem', { name: 'Revoke…' }).click()
    await page.getByRole('button', { name: 'Revoke agent' }).click()
    await page.getByText('Agent revoked').waitFor()
    await expect(agent('run', '--now')).rejects.toThrow('403 revoked')
    await page.getByRole('link', { name: 'Silent for a day' }).click()
    await page.getByRole('link', { name: 'web-01' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'All agents' }).click()
    await page.getByRole('button', { name: 'Filters' }).click()
    await page
      .getByRole('region', { name: 'State' })
      .getByRole('button', { name: /revoked/i })
      .click()
    await page.waitForURL((url) => /state .*revoked/.test(url.searchParams.get('where') ?? ''))
    await page.getByRole('link', { name: 'web-01' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('p')
    const preview = page.getByRole('complementary').filter({ hasText: 'First seen' })
    await preview.getByText(/^revoked at/).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Enrolment tokens' }).click()
    await page.getByRole('heading', { name: 'Enrolment tokens', level: 1 }).waitFor()
    await page.getByText(/^rce_.*…$/).waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'web-01' }).click()
    await page.getByRole('heading', { name: 'web-01', level: 1 }).waitFor()
  })

  test('a host that needs approval waits until somebody approves it', async () => {
    const page = await app.enter('/agents')
    await page.getByRole('button', { name: 'Add agents' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Add agents' })
    await dialog.getByLabel('Approve each host').check()
    await dialog.getByRole('button', { name: 'Show the lines' }).click()
    const line = await dialog.getByText(/rollcall-agent enrol/).innerText()
    const [, site = '', secret = ''] = /enrol (\S+) (rce_[0-9a-f]{64})$/.exec(line) ?? []
    await agent('forget')
    await writeFile(join(folder, 'root/proc/sys/kernel/hostname'), 'web-02\n')
    await agent('enrol', site, secret)
    await dialog.getByText('Waiting for approval').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Waiting for approval').waitFor()
    await page
      .getByRole('row', { name: /Waiting for approval/ })
      .getByRole('button', { name: /^Actions for/ })
      .click()
    await page.getByRole('menuitem', { name: 'Approve' }).click()
    await page.getByText('Approved: its next report is taken').waitFor()
    await agent('run', '--now')
    await page.reload()
    await page.getByRole('link', { name: 'web-02' }).waitFor()
    await expect.poll(() => page.getByText('Waiting for approval').count()).toBe(0)
  })
})
