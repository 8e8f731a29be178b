import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Page } from 'playwright-core'
import { prepareEstate } from './screens-estate.ts'

// Pictures of every screen, light and dark, at 360 pixels and at 4k, of a server that runs:
// node screens.ts --address http://127.0.0.1:8080 --email admin@localhost --password … --folder /tmp/screens
// Without a folder only those are renewed which documents show, in docs/screens.
// The server has an estate of `rollcall demo`, feeds that know its software, for the findings, and
// WEBHOOK_ALLOW_PRIVATE=127.0.0.1 for the receivers that are shown.

const { values } = parseArgs({
  options: {
    address: { type: 'string', default: 'http://127.0.0.1:8080' },
    email: { type: 'string', default: 'admin@localhost' },
    password: { type: 'string', default: '' },
    browser: { type: 'string', default: '/usr/bin/chromium' },
    folder: { type: 'string' },
  },
})

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const SIZES = { '': [1440, 900], '-360': [360, 780], '-4k': [3840, 2160] } as const
/** What gains by room; the others only have more margin. */
const WIDE = new Set(['overview', 'assets', 'asset'])
/** What README and documents show. */
const SHOWN = new Set(['overview-light', 'vulnerabilities-light', 'topology-light'])
const folder = values.folder ?? join(import.meta.dirname, '../docs/screens')
const isWanted = (name: string, suffix = '', scheme = 'light') =>
  values.folder !== undefined || SHOWN.has(`${name}${suffix}-${scheme}`)
mkdirSync(folder, { recursive: true })

const screens: readonly (readonly [string, string, ((page: Page) => Promise<void>)?])[] = [
  ['overview', '/'],
  ['assets', '/assets'],
  ['asset', '/assets', openMostSeen],
  ['changes', '/changes'],
  ['topology', '/topology?site=*'],
  ['topology-link', '/topology?site=*', openLink],
  ['topology-routing', '/topology?layer=routing&site=*'],
  ['groups', '/groups'],
  ['contracts', '/contracts'],
  ['duplicates', '/duplicates'],
  ['merge', '/duplicates', openMerge],
  ['palette', '/', openPalette],
  ['vulnerabilities', '/vulnerabilities'],
  ['finding', '/vulnerabilities?group=none', openFinding],
  ['override', '/vulnerabilities?group=none', openOverride],
  ['cve', '/vulnerabilities?group=none', openCve],
  ['overrides', '/overrides'],
  ['software', '/software'],
  ['end-of-life', '/end-of-life?within=1095'],
  ['feeds', '/feeds'],
  ['scans', '/scans'],
  ['cloud', '/cloud'],
  ['cloud-connections', '/cloud-connections'],
  ['discoveries', '/discoveries'],
  ['agents', '/agents'],
  ['flows', '/flows'],
  ['reports', '/reports'],
  ['simulation', '/simulation'],
  ['compliance', '/compliance'],
  ['partners', '/partners'],
  ['notices', '/notices'],
  ['organisations', '/organisations'],
  ['credentials', '/credentials'],
  ['imports', '/imports'],
  ['api-keys', '/api-keys'],
  ['webhooks', '/webhooks'],
  ['deliveries', '/deliveries'],
  ['delivery', '/deliveries', openDelivery],
  ['people', '/people'],
  ['audit', '/audit'],
  ['settings', '/settings'],
  ['second-factor', '/settings', openSecondFactor],
]

const browser = await chromium.launch({ executablePath: values.browser, args: FLAGS })
try {
  const visitor = await browser.newContext({ baseURL: values.address })
  const host = await visitor.newPage()
  await host.goto('/sign-in')
  await signIn(host)
  const estate = await prepareEstate(host)
  await host.close()
  for (const [suffix, [width, height]] of Object.entries(SIZES))
    for (const colorScheme of ['light', 'dark'] as const) {
      if (suffix !== '' && colorScheme === 'dark') continue
      const context = await browser.newContext({
        baseURL: values.address,
        viewport: { width, height },
        colorScheme,
        reducedMotion: 'reduce',
      })
      const page = await context.newPage()
      const shoot = async (name: string) => {
        await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined)
        for (const loading of await page.locator('main [role="status"]').all())
          await loading.waitFor({ state: 'detached', timeout: 15_000 }).catch(() => undefined)
        await page.screenshot({ path: join(folder, `${name}${suffix}-${colorScheme}.png`) })
      }
      await page.goto('/sign-in')
      if (isWanted('sign-in', suffix, colorScheme)) await shoot('sign-in')
      await signIn(page)
      for (const [name, path, prepare] of screens) {
        if ((suffix === '-4k' && !WIDE.has(name)) || !isWanted(name, suffix, colorScheme)) continue
        await page.goto(path)
        if (await page.getByText('There is no such page').isVisible()) continue
        await prepare?.(page).catch((error: unknown) => process.stderr.write(`${name}: ${String(error)}\n`))
        await shoot(name)
      }
      await context.close()
    }
  estate.close()
} finally {
  await browser.close()
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(values.email)
  await page.getByLabel('Password').first().fill(values.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
}

/** Servers are seen by most sources, so they have most to show. */
async function openMostSeen(page: Page): Promise<void> {
  await page.goto('/assets?search=srv')
  await page.getByRole('row').nth(1).getByRole('link').click()
  await page.getByRole('heading', { name: 'Runs and listens' }).waitFor()
}

async function openPalette(page: Page): Promise<void> {
  await page.getByText('When last seen').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('srv')
  await page.getByRole('option').first().waitFor()
}

async function openLink(page: Page): Promise<void> {
  await page.getByRole('searchbox', { name: 'Find on the map' }).fill('osl-sw-0001')
  await page.keyboard.press('Enter')
  await page.getByRole('list', { name: 'Links' }).getByRole('listitem').first().waitFor()
}

async function openMerge(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Merge…' }).first().click()
  await page.getByRole('region', { name: 'They would be' }).waitFor()
}

async function openFinding(page: Page): Promise<void> {
  await page.getByRole('row').nth(1).getByRole('button').first().click()
  await page.getByText('What says so').waitFor()
}

async function openOverride(page: Page): Promise<void> {
  await openFinding(page)
  await page.getByRole('button', { name: 'Override…' }).click()
  await page.getByText('would disappear').waitFor()
}

async function openCve(page: Page): Promise<void> {
  await page.getByRole('row').nth(1).getByRole('link').first().click()
  await page.getByText('Where it was found').waitFor()
}

async function openDelivery(page: Page): Promise<void> {
  await page.getByRole('row').nth(1).getByRole('link').click()
  await page.getByRole('dialog').getByText('Attempts').waitFor()
}

async function openSecondFactor(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Set up' }).first().click()
  await page.getByRole('textbox', { name: 'Your password' }).fill(values.password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('img', { name: /camera/ }).waitFor()
}
