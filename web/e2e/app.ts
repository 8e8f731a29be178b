import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { databaseUrl, freshDatabase } from '../../server/test/support/database/fresh-database.ts'

/** The product as people meet it: a server on an empty database of its own, in a PostgreSQL that all share, and a browser. */
export interface App {
  readonly address: string
  /** Of the administrator. */
  readonly password: string
  /** A page of somebody who has not been here before. */
  readonly visit: (path: string, look?: Look) => Promise<Page>
  /** A page of the administrator, or of whoever `look` names. */
  readonly enter: (path: string, look?: Look & { readonly as?: Person }) => Promise<Page>
  readonly signIn: (page: Page, person?: Person) => Promise<void>
  /** Somebody new who came in by an invitation. */
  readonly invite: (
    email: string,
    role: string,
    more?: { readonly tenant?: string; readonly name?: string },
  ) => Promise<Person>
  /** What a command of the same installation answers with --json. */
  readonly rollcall: <T = unknown>(...words: string[]) => Promise<T>
  /** A file in a folder that goes with the app. */
  readonly file: (name: string, content: string) => Promise<string>
  readonly close: () => Promise<void>
}

export interface Person {
  readonly email: string
  readonly password: string
}

interface Look {
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
  /** What the browser says that the person reads. */
  readonly locale?: string
}

type Environment = Readonly<Record<string, string>>

const SERVER = join(import.meta.dirname, '../../server/bin/rollcall.mjs')
const EMAIL = 'admin@localhost'
const CHROMIUM = '/usr/bin/chromium'
const TIMEOUT_MS = 30_000
/** The most that the answers are late by (CONTRIBUTING.md). */
const SHAKE_MS = Number(process.env.SHAKE ?? 0)
const run = promisify(execFile)

/** With `space`, server and browser stand in that network namespace. */
export async function openApp(environment: Environment = {}, space?: string): Promise<App> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-e2e-'))
  let dropDatabase = async (): Promise<void> => undefined
  const where = await freshDatabase((drop) => void (dropDatabase = drop))
  const settings = {
    PATH: process.env.PATH,
    PORT: '0',
    LOG_LEVEL: 'fatal',
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: databaseUrl(where),
    SECRET_KEY: randomBytes(32).toString('hex'),
    ...environment,
  }
  const words = [...inside(space), process.execPath, SERVER, 'serve']
  const server = spawn(words[0] ?? '', words.slice(1), { cwd: tmpdir(), env: settings })
  const { address, password } = await started(server)
  const browser = await launch(folder, space)
  const visit = (path: string, look?: Look) => openPage(browser, address + path, look)
  const signIn = (page: Page, person = { email: EMAIL, password }) => signInAs(page, person)
  const rollcall = async <T>(...more: string[]): Promise<T> => {
    const { stdout } = await run(process.execPath, [SERVER, ...more, '--json'], {
      cwd: folder,
      env: settings,
    })
    return JSON.parse(stdout) as T
  }
  return {
    address,
    password,
    visit,
    signIn,
    rollcall,
    invite: (email, role, { tenant = 'default', name = '' } = {}) =>
      welcome({ address, rollcall }, { email, role, tenant, name }),
    async file(name, content) {
      const path = join(folder, name)
      await writeFile(path, content)
      return path
    },
    async enter(path, { as, ...look } = {}) {
      const page = await visit(`/sign-in?to=${encodeURIComponent(path)}`, look)
      await signIn(page, as)
      await page.locator('#content').waitFor()
      return page
    },
    async close() {
      await browser.close()
      const end = new Promise((resolve) => server.once('close', resolve))
      server.kill('SIGTERM')
      await end
      await dropDatabase()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const inside = (space: string | undefined): string[] =>
  space === undefined ? [] : ['ip', 'netns', 'exec', space]

async function launch(folder: string, space: string | undefined): Promise<Browser> {
  const program = join(folder, 'chromium')
  const words = [...inside(space), CHROMIUM].join(' ')
  await writeFile(program, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 })
  return chromium.launch({
    executablePath: program,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    timeout: TIMEOUT_MS * 2,
  })
}

async function openPage(
  browser: Browser,
  url: string,
  { colorScheme = 'light', width = 1280, locale = 'en-US' }: Look = {},
): Promise<Page> {
  const context = await browser.newContext({
    colorScheme,
    locale,
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
  })
  if (SHAKE_MS > 0) await shake(context)
  const page = await context.newPage()
  page.setDefaultTimeout(TIMEOUT_MS)
  await page.goto(url)
  return page
}

/** Each answer and each script that is loaded later comes a little later still, so what a test does not wait for is late. */
async function shake(context: BrowserContext): Promise<void> {
  await context.route(/\/graphql$|\/session\b|\/static\/[^/]+\.js$/, async (route) => {
    await setTimeout(Math.random() * SHAKE_MS)
    await route.continue().catch(() => undefined)
  })
}

async function signInAs(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

interface Wanted {
  readonly email: string
  readonly role: string
  readonly tenant: string
  readonly name: string
}

async function welcome(
  { address, rollcall }: Pick<App, 'address' | 'rollcall'>,
  { email, role, tenant, name }: Wanted,
): Promise<Person> {
  const words = ['user', 'invite', email, '--role', role, '--tenant', tenant]
  const { link } = await rollcall<{ link: string }>(...words)
  const password = `four words for ${email}`
  const response = await fetch(`${address}/session/invitation/join`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-rollcall': '1' },
    body: JSON.stringify({ token: link.split('#')[1], name, password }),
  })
  if (!response.ok) throw new Error(`${email} could not join: ${await response.text()}`)
  return { email, password }
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
