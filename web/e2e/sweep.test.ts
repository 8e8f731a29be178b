import { afterAll, beforeAll, expect, test } from 'vitest'
import { needs } from '../../server/test/support/needs.ts'
import { networkLab, type NetworkLab } from '../../server/test/support/network/network-lab.ts'
import { openApp, type App } from './app.ts'

const HOSTS = Array.from({ length: 12 }, (_, at) => `10.78.0.${20 + at * 18}`)
const SWEPT_MS = 120_000

needs(
  'root',
  'ip',
  'chromium',
)('a sweep of a network, seen from the browser', () => {
  let lab: NetworkLab
  let app: App
  beforeAll(async () => {
    lab = await networkLab({ scanner: '10.78.0.1/24', machines: { office: HOSTS } })
    app = await openApp({}, lab.spaceOf('scanner'))
  }, 120_000)
  afterAll(async () => {
    await app?.close()
    await lab?.close()
  })

  test('hosts arrive in the list while one looks at it', { timeout: 300_000 }, async () => {
    const list = await app.enter('/assets')
    await list.getByText('No assets yet').waitFor()
    await list.evaluate('document.body.dataset.load = "first"')
    const page = await list.context().newPage()
    await page.goto(`${app.address}/scans`)
    await page.getByRole('button', { name: 'New target' }).first().click()
    const form = page.getByRole('dialog', { name: 'New target' })
    await form.getByLabel('Name').fill('Office')
    await form.getByRole('textbox', { name: 'Network' }).fill('10.78.0.0')
    await form.getByRole('button', { name: 'Add target' }).click()
    await form.getByText(/range such as/).waitFor()
    await form.getByRole('textbox', { name: 'Network' }).fill('10.78.0.0/24')
    await form.getByRole('checkbox', { name: 'MQTT' }).check()
    await form.getByRole('button', { name: 'Add target' }).click()
    await page.getByText('asks MQTT').waitFor()
    await page.getByRole('button', { name: 'Sweep Office' }).click()
    await page.getByText('Sweep of 10.78.0.0/24 started').waitFor()

    const table = list.getByRole('table', { name: 'Assets' })
    for (const host of HOSTS)
      await table.getByText(host, { exact: true }).first().waitFor({ timeout: SWEPT_MS })
    expect(await list.evaluate('document.body.dataset.load')).toBe('first')
    await page.getByRole('row', { name: /10\.78\.0\.0\/24.*Completed/ }).waitFor({ timeout: SWEPT_MS })

    await page.getByRole('link', { name: '10.78.0.0/24', exact: true }).click()
    const found = page.getByRole('region', { name: 'Hosts found' })
    const host = HOSTS[3] ?? ''
    const row = found.getByRole('row', { name: new RegExp(`${host.replaceAll('.', '\\.')} .*New asset`) })
    await row.getByRole('button', { name: `What was read of ${host}` }).click()
    const read = page.getByRole('dialog', { name: 'What the scan read' })
    await read.getByRole('cell', { name: `ip · ${host}` }).waitFor()
    await page.keyboard.press('Escape')
    await row.getByRole('link', { name: host }).click()
    await page.getByRole('heading', { name: host }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/t\/default\/assets\/[0-9a-f-]{36}$/)
  })
})
