import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCatalogue } from '../languages/translate.ts'
import { faultsOf } from './accessibility-faults.ts'
import { DIALOGS, SCREENS } from './all-screens.ts'
import { openApp, type App } from './app.ts'
import { bringFindings } from './findings.ts'
import { askGraphql } from './graphql.ts'
import { doubtfulLists } from './lists.ts'
import { needsChromium } from './needs-chromium.ts'

const PHONE = 390
const DESK = { width: 1280, height: 900 }
/** Screens with a menu in their rows. */
const MENUS = ['/api-keys', '/people'] as const
const { texts, words } = readCatalogue('de')
const german = new Set(Object.values({ ...texts, ...words }))
/** English texts that stand alone somewhere, and are no German ones, too. */
const english = new Set(Object.keys(texts).filter((it) => !/[{<]| [@/] /.test(it) && !german.has(it)))

/** Words of which English sentences are made, and German ones never. */
const ENGLISH_WORD =
  /(?<![\w.{])(the|when|add|remove|set|tell|starts|wait|for|each|if|only|then|otherwise|or|and|is|are|by|because|of|to|with|send|ask|asks|suggest|stop|revive|record|more|approved|once|it|there|runs?|hours?|days?|minutes?)(?![\w.}])/i

const tag = (name: string) => ({ action: 'add_tags', with: { tags: [name] } })
const BRANCHES = [
  { action: 'if', condition: 'asset.type = server', steps: [tag('Dienst')], otherwise: [{ action: 'stop' }] },
  { action: 'set_weight', with: { criticality: 'high', exposure: 'internet' } },
  { action: 'request_approval', name: 'frage', with: { question: 'Wirklich?' } },
  { action: 'wait_for_approval', request: 'frage', otherwise: [{ action: 'stop' }] },
  { action: 'for_each', list: 'event.asset_ids', steps: [tag('Eintrag')] },
]
const DOINGS = [
  { action: 'set_record', with: { field: 'owner', value: 'Erika' } },
  { action: 'send_notice', with: { to: ['me'], subject: 'Bitte ansehen' } },
  { action: 'suggest_merge', with: { same: 'serial', reason: 'Gleiches Gerät' } },
]
/** Each with a trigger of another kind. */
const FLOWS = [
  {
    name: 'Verzweigt',
    definition: {
      trigger: { kind: 'event', eventTypes: ['NEW_ASSET', 'UNLINK'] },
      condition: 'asset.type = server',
      steps: BRANCHES,
    },
  },
  {
    name: 'Abfrage',
    definition: {
      trigger: { kind: 'query', condition: 'type = server', on: 'enter', per: 'asset' },
      steps: [...DOINGS, { action: 'archive', with: {} }],
    },
  },
  {
    name: 'Verlassen',
    definition: {
      trigger: { kind: 'query', condition: 'type = server', on: 'leave', per: 'asset' },
      steps: [
        { action: 'revive', with: {} },
        { action: 'wait', minutes: 1_440 },
      ],
    },
  },
  {
    name: 'Zeitplan',
    definition: {
      trigger: { kind: 'schedule', cron: '0 8 * * 1', zone: 'Europe/Berlin' },
      steps: [{ action: 'stop' }],
    },
  },
  {
    name: 'Von Hand',
    definition: {
      trigger: { kind: 'manual' },
      steps: [tag('Neu'), { action: 'set_field', with: { field: 'nirgendwo', value: 'x' } }],
    },
  },
] as const

/** Everything that can be read: text, and what fields and pictures are called; not what says that it is English, as documents do. */
const VISIBLE_TEXTS = `[
  ...[...document.querySelectorAll('body *')].filter((it) => (it.checkVisibility?.() ?? true) && !it.closest('body [lang="en"]')).flatMap((it) => [
    ...[...it.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data),
    it.getAttribute('aria-label'), it.getAttribute('placeholder'), it.getAttribute('title'), it.getAttribute('alt'),
  ]),
  document.title.replace(/ · Rollcall$/, ''),
].map((it) => it?.trim()).filter(Boolean)`

needsChromium('a person who reads German', () => {
  let app: App
  let page: Page
  beforeAll(async () => {
    app = await openApp()
    const { files, forget } = await doubtfulLists()
    for (const file of files) await app.rollcall('import', file)
    await forget()
    page = await app.enter('/settings')
    await bringFindings(app, page)
  }, 240_000)
  afterAll(() => app?.close())

  test('chooses the language, and how dates and numbers are written', async () => {
    await page.goto(`${app.address}/settings`)
    await page.getByLabel('Language', { exact: true }).selectOption({ label: 'Deutsch' })
    await page.getByLabel('Time zone').selectOption({ label: 'Asia/Tokyo' })
    await page.getByLabel('Dates').selectOption({ label: '2027-02-19' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Einstellungen' }).waitFor()
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de')
    const last = page.locator('main time').first()
    const instant = new Date((await last.getAttribute('datetime')) ?? '')
    const inTokyo = new Date(instant.getTime() + 9 * 3_600_000).toISOString()
    await expect.poll(() => last.getAttribute('title')).toBe(inTokyo.slice(0, 19).replace('T', ' '))
  })

  test('finds the language again with the next sign-in in another browser', async () => {
    const other = await app.enter('/')
    await other.getByRole('heading', { level: 1, name: 'Übersicht' }).waitFor()
    await expect.poll(() => other.title()).toBe('Übersicht · Rollcall')
    await other.context().close()
  })

  test(
    'reads no English text of the catalogue on any screen, everybody can use it, and none is wider than a phone',
    { timeout: 240_000 },
    async () => {
      const faults: string[] = []
      for (const screen of SCREENS) {
        await show(screen)
        faults.push(...(await faultsHere(screen)))
        await page.setViewportSize({ width: PHONE, height: 844 })
        await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
        faults.push(...(await textFaults(`${screen} on a phone`)))
        await page.setViewportSize(DESK)
      }
      expect(faults).toEqual([])
    },
  )

  test(
    'reads no English in dialogs and menus either, and none is wider than a phone',
    { timeout: 240_000 },
    async () => {
      const faults: string[] = []
      await page.setViewportSize({ width: PHONE, height: 844 })
      for (const [screen, button] of DIALOGS) {
        await show(screen)
        await page
          .locator('main')
          .getByRole('button', { name: texts[button] ?? button })
          .first()
          .click()
        await page.getByRole('dialog').waitFor()
        faults.push(...(await faultsHere(`${screen} ${button}`)))
      }
      for (const screen of MENUS) {
        await show(screen)
        await page
          .getByRole('button', { name: /^Aktionen für/ })
          .first()
          .click()
        await page.getByRole('menu').waitFor()
        faults.push(...(await faultsHere(`${screen}, menu`)))
      }
      expect(faults).toEqual([])
    },
  )

  test('reads whole German sentences in the list of flows, in a flow, its map and a run', async () => {
    const ids: string[] = []
    for (const flow of FLOWS) {
      const made = await askGraphql<{ createFlow: { id: string } }>(
        page,
        'mutation Make($name: String!, $definition: JSON!) { createFlow(name: $name, definition: $definition) { id } }',
        flow,
      )
      expect(made.errors).toBeUndefined()
      ids.push(made.data?.createFlow.id ?? '')
    }
    const faults: string[] = []
    await show('/flows')
    await page
      .getByText(
        'Wenn ein Asset entdeckt wird oder ein Asset getrennt wird, falls asset.type = server: ' +
          'falls asset.type = server (Tags hinzufügen (Dienst)), Kritikalität oder Exposition setzen (Internet), ' +
          'um Genehmigung bitten (Wirklich?), weitere Schritte: 2.',
      )
      .waitFor()
    await page.getByText('Nach dem Zeitplan 0 8 * * 1 (Europe/Berlin): anhalten.').waitFor()
    faults.push(...(await sentenceFaults('/flows')))
    for (const [n, { name }] of FLOWS.entries()) {
      await show(`/flows/${ids[n]}`)
      faults.push(...(await sentenceFaults(name)))
    }
    await show(`/flows/${ids[0]}`)
    await page.getByText('Exposition auf Internet und Kritikalität auf hoch setzen').waitFor()
    await page.getByRole('button', { name: 'Als Karte zeigen' }).click()
    const map = page.getByRole('region', { name: 'Karte der Schritte' })
    for (const label of ['dann', 'sonst', 'genehmigt', 'jedes'])
      await map.getByText(label, { exact: true }).first().waitFor()
    faults.push(...(await sentenceFaults('map')))
    const run = await runOf(ids.at(-1) ?? '')
    await show(`/flows/${ids.at(-1)}/runs/${run}`)
    await page.getByText('steps[1]: field: es gibt kein eigenes Feld nirgendwo').first().waitFor()
    await page.getByText('Die Tags Neu hinzufügen').waitFor()
    faults.push(...(await sentenceFaults('run')))
    await show('/flows/runs')
    faults.push(...(await sentenceFaults('/flows/runs')))
    expect(faults).toEqual([])
  }, 120_000)

  test('is greeted in the language of the browser before the server knows who comes', async () => {
    const stranger = await app.visit('/sign-in', { locale: 'de-AT' })
    await stranger.getByRole('button', { name: 'Anmelden', exact: true }).waitFor()
    await stranger.getByRole('button', { name: 'Eingabe anzeigen' }).waitFor()
    await expect.poll(() => stranger.locator('html').getAttribute('lang')).toBe('de')
    await stranger.context().close()
  })

  /** Of a flow that is started by hand, for one asset, once it has failed. */
  async function runOf(flowId: string): Promise<string> {
    await askGraphql(page, `mutation { publishFlow(id: "${flowId}") { id } }`)
    const assets = await askGraphql<{ assets: { items: { id: string }[] } }>(
      page,
      '{ assets(first: 1) { items { id } } }',
    )
    const assetId = assets.data?.assets.items[0]?.id
    await askGraphql(page, `mutation { startFlow(id: "${flowId}", assetIds: ["${assetId}"]) }`)
    const query = `{ flowRuns(flowId: "${flowId}", first: 1) { items { id status } } }`
    let run: { id: string; status: string } | undefined
    await expect
      .poll(async () => {
        const answer = await askGraphql<{ flowRuns: { items: { id: string; status: string }[] } }>(
          page,
          query,
        )
        run = answer.data?.flowRuns.items[0]
        return run?.status
      })
      .toBe('failed')
    return run?.id ?? ''
  }

  /** English in what the main part of the page says, made of parts too. */
  async function sentenceFaults(place: string): Promise<readonly string[]> {
    const said = (await page.evaluate(VISIBLE_TEXTS)) as string[]
    const mixed = [...new Set(said)].filter((it) => ENGLISH_WORD.test(it))
    return [...(await textFaults(place)), ...mixed.map((it) => `${place}: ${it}`)]
  }

  async function faultsHere(place: string): Promise<readonly string[]> {
    const faults = (await faultsOf(page)).map((fault) => `${place}: ${fault}`)
    return [...(await textFaults(place)), ...faults]
  }

  async function textFaults(place: string): Promise<readonly string[]> {
    const seen = (await page.evaluate(VISIBLE_TEXTS)) as string[]
    const unread = [...new Set(seen.filter((it) => english.has(it)))]
    const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
    return [...unread, ...(wide ? ['wider than the window'] : [])].map((fault) => `${place}: ${fault}`)
  }

  async function show(screen: string): Promise<void> {
    await page.goto(app.address + screen)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('main [role="status"][aria-label]').first().waitFor({ state: 'detached' })
  }
})
