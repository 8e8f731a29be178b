import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { needsChromium } from './needs-chromium.ts'

const ROLLCALL = join(import.meta.dirname, '../../server/bin/rollcall.mjs')

needsChromium('collectors', () => {
  let app: App
  let folder: string
  let collector: ChildProcess | undefined

  beforeAll(async () => {
    app = await openApp()
    folder = await mkdtemp(join(tmpdir(), 'rollcall-collector-'))
  }, 120_000)
  afterAll(async () => {
    collector?.kill()
    await app?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const start = (environment: Readonly<Record<string, string>>): ChildProcess =>
    spawn(process.execPath, [ROLLCALL, 'serve'], {
      stdio: 'ignore',
      env: { PATH: process.env['PATH'], DATA_DIR: folder, ...environment },
    })

  test('one is added, comes online, is given a target and is revoked', async () => {
    const page = await app.enter('/scans')
    await page.getByRole('button', { name: 'Add collector' }).click()
    await page.getByRole('dialog', { name: 'Add collector' }).getByLabel('Name').fill('Oslo')
    await page.getByRole('dialog').getByRole('button', { name: 'Add collector' }).click()
    const dialog = page.getByRole('dialog', { name: 'Collector Oslo' })
    const line = await dialog.getByText(/^ROLES=collector/).innerText()
    await dialog.getByText('Waiting for its first start').waitFor()
    const words = line.split(' ').filter((it) => it.includes('='))
    const environment = Object.fromEntries(words.map((it) => it.split('=', 2))) as Record<string, string>
    expect(environment['COLLECTOR_SERVER']).toBe(app.address)
    collector = start(environment)
    await dialog.getByText('Online').waitFor()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect.poll(() => page.getByText(environment['COLLECTOR_SECRET'] ?? '').count()).toBe(0)

    await page.getByRole('button', { name: 'New target' }).first().click()
    const form = page.getByRole('dialog', { name: 'New target' })
    await form.getByLabel('Name').fill('Oslo office')
    await form.getByRole('textbox', { name: 'Network' }).fill('192.0.2.0/30')
    await form.getByRole('combobox', { name: 'Scanned by' }).click({ force: true })
    await page.getByRole('option', { name: 'Oslo', exact: true }).click()
    await page.keyboard.press('Tab')
    await form.getByRole('button', { name: 'Add target' }).click()
    await page.getByRole('row', { name: /Oslo office/ }).waitFor()

    await page.goto(`${page.url().replace(/\/scans.*/, '')}/credentials`)
    await page.getByRole('button', { name: 'New credential' }).first().click()
    const secret = page.getByRole('dialog', { name: 'New credential' })
    await secret.getByLabel('Name').fill('Oslo routers')
    await secret.getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'SSH, password' }).click()
    await secret.getByLabel('Account').fill('scan')
    await secret.getByRole('textbox', { name: 'Password' }).fill('korrekt-pferd')
    await secret.getByRole('textbox', { name: 'Networks' }).fill('192.0.2.0/30')
    await secret.getByRole('combobox', { name: 'Opened by' }).click({ force: true })
    await page.getByRole('option', { name: 'Oslo', exact: true }).click()
    await page.keyboard.press('Tab')
    await secret.getByText(/^Only these collectors can open the secret/).waitFor()
    await secret.getByRole('button', { name: 'Store credential' }).click()
    await page
      .getByRole('row', { name: /Oslo routers/ })
      .getByText('SSH, password, collectors only')
      .waitFor()
    await page.goBack()

    await page.getByRole('button', { name: 'Actions for Oslo', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Revoke…' }).click()
    await page.getByRole('button', { name: 'Revoke collector' }).click()
    await page.getByRole('row', { name: /Oslo.*Revoked/ }).waitFor()
  })
})
