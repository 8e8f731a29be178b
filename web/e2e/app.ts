import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'

/** The product as people meet it: a server on a database of its own, and a browser. */
export interface App {
  readonly address: string
  /** A page of somebody who has not been here before. */
  readonly visit: (path: string, look?: Look) => Promise<Page>
  /** A page of the administrator. */
  readonly enter: (path: string, look?: Look) => Promise<Page>
  readonly signIn: (page: Page) => Promise<void>
  readonly close: () => Promise<void>
}

interface Look {
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
}

const SERVER = join(import.meta.dirname, '../../server/bin/rollcall.mjs')
const EMAIL = 'admin@localhost'

export async function openApp(environment: Readonly<Record<string, string>> = {}): Promise<App> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-e2e-'))
  const server = spawn(process.execPath, [SERVER, 'serve'], {
    cwd: tmpdir(),
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      LOG_LEVEL: 'fatal',
      DATA_DIR: join(folder, 'data'),
      ...environment,
    },
  })
  const { address, password } = await started(server)
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  const visit = (path: string, look?: Look) => openPage(browser, address + path, look)
  const signIn = (page: Page) => signInAs(page, password)
  return {
    address,
    visit,
    signIn,
    async enter(path, look) {
      const page = await visit(`/sign-in?to=${encodeURIComponent(path)}`, look)
      await signIn(page)
      await page.locator('#content').waitFor()
      return page
    },
    async close() {
      await browser.close()
      const end = new Promise((resolve) => server.once('close', resolve))
      server.kill('SIGTERM')
      await end
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function openPage(
  browser: Browser,
  url: string,
  { colorScheme = 'light', width = 1280 }: Look = {},
): Promise<Page> {
  const context = await browser.newContext({
    colorScheme,
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  await page.goto(url)
  return page
}

async function signInAs(page: Page, password: string): Promise<void> {
  await page.getByLabel('Email').fill(EMAIL)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

function started(server: ReturnType<typeof spawn>): Promise<{ address: string; password: string }> {
  return new Promise((resolve, reject) => {
    let out = ''
    const read = (chunk: Buffer) => {
      out += chunk.toString()
      const address = /Rollcall runs at (\S+)\n/.exec(out)?.[1]
      const password = /Password\s+(\S+)/.exec(out)?.[1]
      if (address && password) resolve({ address, password })
    }
    server.stdout?.on('data', read)
    server.stderr?.on('data', read)
    server.once('error', reject)
    server.once('close', (code) => reject(new Error(`the server ended with ${code}: ${out}`)))
  })
}
