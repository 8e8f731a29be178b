import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { needs } from '../../server/test/support/needs.ts'
import { networkLab, type NetworkLab } from '../../server/test/support/network/network-lab.ts'
import { openSshLab, type SshLab } from '../../server/test/support/scanned-hosts/ssh-servers.ts'
import { openApp, type App } from './app.ts'
import { askGraphql } from './graphql.ts'

const [LINUX, SILENT, FRAGILE] = ['10.81.0.10', '10.81.0.12', '10.81.0.20']
const RANGE = '10.81.0.0/27'
const RUN_MS = 120_000

needs(
  'root',
  'ip',
  'nft',
  'sshd',
  'chromium',
)('a discovery, seen from the browser', () => {
  let lab: NetworkLab
  let ssh: SshLab
  let app: App
  beforeAll(async () => {
    ssh = await openSshLab()
    const machines = { linux: [LINUX], silent: [SILENT], fragile: [FRAGILE] }
    lab = await networkLab({ scanner: '10.81.0.1/24', machines })
    await chmod(lab.folder, 0o755)
    const config = join(lab.folder, 'sshd')
    const lines = [
      `ListenAddress ${LINUX}`,
      `HostKey ${await ssh.hostKey('ed25519')}`,
      `AuthorizedKeysFile ${join(ssh.folder, 'authorized')}`,
      'StrictModes no',
      'PidFile none',
    ]
    await writeFile(config, `${lines.join('\n')}\n`)
    await lab.serve('linux', ['tcp 22'], ['/usr/sbin/sshd', '-D', '-e', '-f', config])
    // hangs after some six packets
    await lab.firewall('fragile', `ip daddr ${FRAGILE} quota over 400 bytes drop`)
    app = await openApp({}, lab.spaceOf('scanner'))
  }, 240_000)
  afterAll(async () => {
    await app?.close()
    await lab?.close()
    await ssh?.close()
  })

  async function prepare(page: Page): Promise<void> {
    const privateKey = await readFile(ssh.keys.ed25519, 'utf8')
    const { errors } = await askGraphql(
      page,
      `mutation ($username: String, $privateKey: String) {
        createCredential(name: "Linux", kind: ssh_key, cidrs: ["${RANGE}"], username: $username, privateKey: $privateKey,
          asksOnUnknownHost: false) { id }
      }`,
      { username: ssh.username, privateKey },
    )
    expect(errors).toBeUndefined()
  }

  async function ran(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Run Nightly' }).click()
    await page.waitForURL(/\/discoveries\/[0-9a-f-]{36}$/)
    await page.getByRole('progressbar', { name: 'Progress of the run' }).waitFor()
    await page
      .getByText(/Completed/)
      .first()
      .waitFor({ timeout: RUN_MS })
  }

  test('a range is swept, hosts are logged in to, and the next run says what is gone', async () => {
    const page = await app.enter('/discoveries')
    await page.getByText('No discovery yet').waitFor()
    await prepare(page)
    await page.reload()
    await page.getByRole('button', { name: 'New discovery' }).first().click()
    const form = page.getByRole('dialog', { name: 'New discovery' })
    await form.getByLabel('Name').fill('Nightly')
    await form.getByRole('button', { name: 'New target' }).click()
    const target = page.getByRole('dialog', { name: 'New target' })
    await target.getByLabel('Name').fill('Office')
    await target.getByRole('textbox', { name: 'Network' }).fill(RANGE)
    await target.getByRole('button', { name: 'Add target' }).click()
    await target.waitFor({ state: 'detached' })
    await expect.poll(() => form.getByRole('combobox', { name: 'Target' }).inputValue()).toMatch(/^Office/)
    await form.getByRole('combobox', { name: 'How often' }).click()
    await page.getByRole('option', { name: 'Every night at 02:00' }).click()
    await form.getByLabel('Time zone').fill('Europe/Berlin')
    await form.getByRole('button', { name: 'Add discovery' }).click()
    await page.getByRole('row', { name: /Nightly.*Every night at 02:00, Europe\/Berlin/ }).waitFor()

    await ran(page)
    const row = (address: string) =>
      page.getByRole('row', { name: new RegExp(address.replaceAll('.', '\\.')) })
    await row(LINUX).getByText('Logged in').first().waitFor()
    await row(SILENT).getByText('Not asked').first().waitFor()
    await row(FRAGILE).getByText('stopped: it answered').first().waitFor()
    const heldBack = page.getByRole('region', { name: 'Held back' })
    await heldBack.getByText(`${FRAGILE} it answered at port`).waitFor()
    expect(await serious(page)).toEqual([])
    const at = page.url()
    await row(LINUX).getByRole('link', { name: 'ssh' }).click()
    await page.waitForURL(/\/scans\/[0-9a-f-]{36}$/)
    await page.goto(at)

    await lab.run('silent', 'ip', 'link', 'set', 'eth0', 'down')
    // the kernel believes in a neighbour for up to 45 seconds
    await lab.run('scanner', 'ip', 'neigh', 'flush', 'all')
    await page.getByRole('link', { name: 'Discoveries' }).last().click()
    await ran(page)
    await page.getByText('0 new, 0 changed, 1 gone').waitFor()
    await page.getByRole('combobox', { name: 'Change' }).click()
    await page.getByRole('option', { name: 'Gone' }).click()
    await row(SILENT).getByText('Gone').first().waitFor()
    await row(LINUX).waitFor({ state: 'detached' })

    for (const colorScheme of ['light', 'dark'] as const) {
      const phone = await app.enter(new URL(at).pathname, { width: 360, colorScheme })
      await phone.getByRole('region', { name: 'Held back' }).waitFor()
      expect(await phone.locator('html').evaluate((it) => it.scrollWidth)).toBeLessThanOrEqual(360)
      expect(await serious(phone)).toEqual([])
    }
  }, 480_000)
})

async function serious(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}
