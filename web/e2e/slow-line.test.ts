import type { CDPSession } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { needsChromium } from './needs-chromium.ts'

/** A poor mobile line, or a satellite: 1 Mbit/s, 400 ms until the first byte of an answer. */
const LINE = { offline: false, latency: 400, downloadThroughput: 125_000, uploadThroughput: 125_000 }
const FORM_BYTES = 260_000
/** The last three, for sign-on and the icon (as an image and for the tab), begin about when the form appears. */
const FORM_REQUESTS = 8
/** From nothing to the first row of the list, the sign-in form among it. */
const ROW_BYTES = 350_000
/** Some lists of the screen may be asked for just before its first row or just after. */
const ROW_REQUESTS = 20

interface Traffic {
  bytes: number
  requests: string[]
  readonly codings: Set<string>
}

needsChromium('the app over a slow line', () => {
  let app: App
  beforeAll(async () => {
    app = await openApp()
    await app.rollcall('demo', '--assets', '200')
  }, 180_000)
  afterAll(() => app?.close())

  test('sign-in form and first row cost few bytes and few requests', { timeout: 120_000 }, async () => {
    const page = await app.visit('/healthz')
    const traffic = await watch(await page.context().newCDPSession(page))
    const formAt = await timed(async () => {
      await page.goto(`${app.address}/sign-in?to=%2Fassets`, { waitUntil: 'commit' })
      await page.getByLabel('Email').waitFor()
    })
    const form = { bytes: traffic.bytes, requests: traffic.requests.length }
    await page.waitForLoadState('networkidle')
    // on a busy machine the network can be idle before the script asks for these
    for (const last of ['/session', '.svg'])
      await expect
        .poll(() => traffic.requests.some((it) => it.endsWith(last)), { timeout: 30_000 })
        .toBe(true)
    const beforeSignIn = traffic.requests.length
    const rowAt = await timed(async () => {
      await app.signIn(page)
      await page.getByRole('table', { name: 'Assets' }).getByRole('link').first().waitFor()
    })
    report(
      `form after ${formAt} ms (${told(form)}), first row ${rowAt} ms after sign-in (${told({
        bytes: traffic.bytes,
        requests: traffic.requests.length,
      })} since the start; ${[...traffic.codings].join(', ')})`,
    )
    expect(form.bytes).toBeLessThan(FORM_BYTES)
    expect(form.requests).toBeLessThanOrEqual(FORM_REQUESTS)
    expect(traffic.bytes).toBeLessThan(ROW_BYTES)
    expect(traffic.requests.slice(ROW_REQUESTS)).toEqual([])
    const afterSignIn = traffic.requests.slice(beforeSignIn)
    // the sign-in itself, which answers with the session
    expect(afterSignIn.filter((it) => it.endsWith('/session'))).toHaveLength(1)
    // nothing that the sign-in page loaded is asked for again
    expect(afterSignIn.filter((it) => it.endsWith('.svg') || it.startsWith('304 '))).toEqual([])
  })
})

/** Counts what the wire carries from here on: bytes as they came, compressed; nothing for what the cache had. */
async function watch(session: CDPSession): Promise<Traffic> {
  const traffic: Traffic = { bytes: 0, requests: [], codings: new Set() }
  const cached = new Set<string>()
  session.on('Network.requestServedFromCache', ({ requestId }) => void cached.add(requestId))
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (cached.has(requestId) || response.fromDiskCache) return
    traffic.requests.push(`${response.status} ${response.url}`)
    traffic.codings.add(response.headers['content-encoding'] ?? 'identity')
  })
  session.on('Network.loadingFinished', ({ encodedDataLength }) => void (traffic.bytes += encodedDataLength))
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', LINE)
  return traffic
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return Math.round(performance.now() - start)
}

const told = ({ bytes, requests }: { bytes: number; requests: number }): string =>
  `${(bytes / 1_000).toFixed(0)} kB, ${requests} requests`

function report(text: string): void {
  process.stdout.write(`slow line: ${text}\n`)
}
