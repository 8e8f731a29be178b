import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { PARTS } from './findings.ts'
import { needsChromium } from './needs-chromium.ts'
import { bringWorkingDay, officeName } from './working-day.ts'

const CVE = PARTS[0]?.cveId ?? ''
/** A page has fewer things to stop at; what is not reached by then cannot be reached. */
const STOPS_MAX = 150

/** `press`: a key; `type`: a text; `to`: Tab to what has the name; `see`: a selector; `gone`: that it is there no more. */
type Step =
  | { readonly press: string }
  | { readonly type: string }
  | { readonly to: RegExp }
  | { readonly see: string }
  | { readonly gone: string }

interface Task {
  readonly task: string
  readonly path: string
  readonly steps: readonly Step[]
  /** Where the focus is afterwards, by name. */
  readonly focus: RegExp
}

/** The main part of the page, where the focus is after a navigation. */
const CONTENT = /^main content$/
const DIALOG = '[role="dialog"]'
const INPUT = `${DIALOG} input:focus`
const ROW = '[role="table"] a, table a'
const PARTS_OF_ASSET = 'nav[aria-label="Parts of the asset"]'
const heading = (name: string) => ({ see: `h1:text-is("${name}")` })
const close = [{ press: 'Escape' }, { gone: DIALOG }]

const TASKS: readonly Task[] = [
  {
    task: 'find an asset',
    path: '/',
    steps: [
      { press: 'Control+k' },
      { type: 'SN-4007' },
      { see: `[role="option"][aria-selected="true"]:has-text("${officeName(7)}")` },
      { press: 'Enter' },
      heading(officeName(7)),
    ],
    focus: CONTENT,
  },
  {
    task: 'go to another screen',
    path: '/',
    steps: [{ press: 'g' }, { press: 'v' }, heading('Vulnerabilities')],
    focus: CONTENT,
  },
  {
    task: 'open the second row of a list',
    path: '/assets',
    steps: [{ see: ROW }, { press: 'j' }, { press: 'j' }, { press: 'Enter' }, { see: PARTS_OF_ASSET }],
    focus: CONTENT,
  },
  {
    task: 'look at a row beside its list and go back to it',
    path: '/assets',
    steps: [
      { see: ROW },
      { press: 'j' },
      { press: 'p' },
      { see: 'aside[aria-label]' },
      { press: 'Escape' },
      { press: 'Enter' },
      { see: PARTS_OF_ASSET },
    ],
    focus: CONTENT,
  },
  {
    task: 'look at the findings of an asset',
    path: '/assets?search=depot-1',
    steps: [
      { see: ROW },
      { press: 'j' },
      { press: 'Enter' },
      { see: PARTS_OF_ASSET },
      { to: /^Findings/ },
      { press: 'Enter' },
      { see: `main button:has-text("${CVE}"), main a:has-text("${CVE}")` },
    ],
    focus: /^Findings/,
  },
  {
    task: 'begin to make a key and leave it',
    path: '/api-keys',
    steps: [{ to: /^New key/ }, { press: 'Enter' }, { see: INPUT }, ...close],
    focus: /^New key/,
  },
  {
    task: 'begin an override and leave it',
    path: `/vulnerabilities/${CVE}`,
    steps: [{ to: /^Override…/ }, { press: 'Enter' }, { see: `${DIALOG} textarea:focus` }, ...close],
    focus: /^Override…/,
  },
  {
    task: 'choose among what can be done with a row',
    path: '/people',
    steps: [
      { to: /^Actions for/ },
      { press: 'Enter' },
      { see: '[role="menu"]' },
      { press: 'Escape' },
      { gone: '[role="menu"]' },
    ],
    focus: /^Actions for/,
  },
  {
    task: 'read why a finding is one',
    path: `/vulnerabilities/${CVE}`,
    steps: [{ see: ROW }, { to: /^Why / }, { press: 'Enter' }, { see: 'aside:focus' }, { press: 'Escape' }],
    focus: /^Why /,
  },
  {
    task: 'see the findings that one update closes',
    path: '/vulnerabilities',
    steps: [
      { see: ROW },
      { press: 'j' },
      { press: 'Enter' },
      { see: '[role="table"] button, [role="table"] a' },
    ],
    focus: CONTENT,
  },
  {
    task: 'go past the navigation',
    path: '/',
    steps: [{ to: /^Skip to content/ }, { press: 'Enter' }],
    focus: CONTENT,
  },
]

needsChromium('tasks by the keyboard alone', () => {
  let app: App
  let page: Page
  beforeAll(async () => {
    app = await openApp()
    await bringWorkingDay(app)
    page = await app.enter('/')
  }, 240_000)
  afterAll(() => app?.close(), 60_000)

  test.each(TASKS)('$task', async ({ path, steps, focus }) => {
    await page.goto(app.address + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    for (const step of steps) await take(page, step)
    await expect.poll(() => focused(page)).toMatch(focus)
  })

  test('what is typed while the palette is loading is in its field, and no shortcut', async () => {
    const load = await enterWithoutPalette(page, app.address)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('gv LicenX')
    await page.keyboard.press('Backspace')
    await page.getByRole('status').getByText('gv Licen').waitFor()
    await load()
    await page.locator(INPUT).waitFor()
    await page.keyboard.type('ses')
    expect(await page.locator(INPUT).inputValue()).toBe('gv Licenses')
    await page.getByRole('heading', { name: 'Overview', includeHidden: true }).waitFor()
  })

  test('a palette that is still loading is left with Escape, and begins empty', async () => {
    const load = await enterWithoutPalette(page, app.address)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('printers')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await load()
    await page.locator(INPUT).waitFor()
    expect(await page.locator(INPUT).inputValue()).toBe('')
  })
})

/** Loads the page and holds the script of the palette back; what is returned lets it come. */
async function enterWithoutPalette(page: Page, address: string): Promise<() => Promise<void>> {
  const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/command-palette*.js', async (route) => {
    ask()
    await isHeld
    await route.continue()
  })
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return async () => {
    await isAsked
    release()
    await page.unrouteAll({ behavior: 'wait' })
  }
}

async function take(page: Page, step: Step): Promise<void> {
  if ('press' in step) await page.keyboard.press(step.press)
  else if ('type' in step) await page.keyboard.type(step.type)
  else if ('see' in step) await page.locator(step.see).first().waitFor()
  else if ('gone' in step) await page.locator(step.gone).first().waitFor({ state: 'detached' })
  else await tabTo(page, step.to)
}

async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = []
  for (let stop = 0; stop < STOPS_MAX; stop++) {
    await page.keyboard.press('Tab')
    const now = await focused(page)
    if (name.test(now)) return
    passed.push(now)
  }
  throw new Error(`Tab does not reach ${name}, but ${passed.join(', ')}`)
}

/** The name of what has the focus. */
const focused = async (page: Page): Promise<string> =>
  (await page.locator('#content:focus').count()) === 1
    ? 'main content'
    : page.evaluate<string>(
        `(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '').trim().slice(0, 80)`,
      )
