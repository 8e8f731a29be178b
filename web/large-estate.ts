import { parseArgs } from 'node:util'
import { chromium, type Browser, type Page } from 'playwright-core'

// What a person waits for in the list of a large estate, measured in a browser on a server that runs:
// npm run large-estate -w web -- --address http://127.0.0.1:8080 --password …
// The estate is of `rollcall demo --assets 100000`. Each figure is the middle of several; quick and slow line.

const FIRST_ROW_MS = 1_000
const KEY_TO_COUNT_MS = 500
/** A poor mobile line, as in e2e/slow-line.test.ts. */
const SLOW_LINE = { offline: false, latency: 400, downloadThroughput: 125_000, uploadThroughput: 125_000 }
const ROUNDS = 5
/** What people type, whose hits are many, few and none. */
const WORDS = ['srv', '10.2.', 'ber-prn-0006', 'windows', 'nothing-has-this-name'] as const

const { values } = parseArgs({
  options: {
    address: { type: 'string', default: 'http://127.0.0.1:8080' },
    email: { type: 'string', default: 'admin@localhost' },
    password: { type: 'string', default: '' },
    browser: { type: 'string', default: '/usr/bin/chromium' },
  },
})

const browser = await chromium.launch({
  executablePath: values.browser,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
try {
  await measure(browser)
} finally {
  await browser.close()
}

async function measure(host: Browser): Promise<void> {
  const context = await host.newContext({ baseURL: values.address, viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  await signIn(page)
  tell('first row, list opened from the overview', await times(() => rowFromOverview(page)), FIRST_ROW_MS)
  tell('first row, page loaded anew', await times(() => rowOfNewPage(page)), FIRST_ROW_MS)
  for (const word of WORDS)
    tell(`key to count, ${word}`, await times(() => keyToCount(page, word)), KEY_TO_COUNT_MS)
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', SLOW_LINE)
  tell('first row, slow line, page loaded anew', await times(() => rowOfNewPage(page)))
  tell('first row, slow line, from the overview', await times(() => rowFromOverview(page)))
  tell('key to count, slow line, srv', await times(() => keyToCount(page, 'srv')))
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(values.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(values.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}

/** The first time is for caches. */
async function times(once: () => Promise<number>): Promise<readonly number[]> {
  await once()
  const taken: number[] = []
  for (let round = 0; round < ROUNDS; round++) taken.push(await once())
  return taken.toSorted((a, b) => a - b)
}

async function firstRow(page: Page): Promise<void> {
  await page.getByRole('table', { name: 'Assets' }).getByRole('link').first().waitFor()
}

async function rowFromOverview(page: Page): Promise<number> {
  await page.goto('/')
  await page.getByText('When last seen').waitFor()
  const start = performance.now()
  await page
    .getByRole('link', { name: /^Assets/ })
    .first()
    .click()
  await firstRow(page)
  return performance.now() - start
}

async function rowOfNewPage(page: Page): Promise<number> {
  const start = performance.now()
  await page.goto('/assets', { waitUntil: 'commit' })
  await firstRow(page)
  return performance.now() - start
}

/** From the input until the number beside the title is of what was typed, and drawn. */
async function keyToCount(page: Page, word: string): Promise<number> {
  await page.goto('/assets')
  await firstRow(page)
  const search = page.getByRole('combobox', { name: 'Search assets' })
  await page.evaluate(`{
    const told = () => document.querySelector('h1').parentElement.textContent
    window.counted = new Promise((resolve) => {
      document.addEventListener('input', () => {
        const start = performance.now()
        const before = told()
        const look = () => {
          const now = told()
          if (now !== before && /\\d/.test(now)) resolve(performance.now() - start)
          else requestAnimationFrame(look)
        }
        look()
      }, { once: true, capture: true })
    })
    // what the block ends with is waited for
    undefined
  }`)
  await search.fill(word)
  return (await page.evaluate('window.counted')) as number
}

function tell(what: string, sorted: readonly number[], limit?: number): void {
  const middle = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const range = `${sorted[0]?.toFixed(0)} to ${sorted.at(-1)?.toFixed(0)} ms`
  const judged = limit === undefined ? '' : middle <= limit ? `, at most ${limit}` : `, MORE THAN ${limit}`
  process.stdout.write(`${what}: ${middle.toFixed(0)} ms (${range})${judged}\n`)
  if (limit !== undefined && middle > limit) process.exitCode = 1
}
