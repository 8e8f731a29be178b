import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openApp, type App } from './app.ts'
import { askGraphql } from './graphql.ts'
import { needsChromium } from './needs-chromium.ts'

const COOKIE = 'rollcall_session'
const MUTATION = 'mutation { createTarget(name: "planted", cidr: "10.0.0.0/24") { id } }'

needsChromium('what other sites try', () => {
  let app: App
  let evil: Server
  let page: Page
  /** What the other site's page is. */
  let content = ''

  beforeAll(async () => {
    app = await openApp()
    evil = createServer((_, response) => {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<!doctype html><title>evil</title>${content}`)
    })
    await new Promise<void>((resolve) => void evil.listen(0, '127.0.0.1', resolve))
    page = await app.enter('/')
  }, 120_000)
  afterAll(async () => {
    await app?.close()
    evil?.close()
  })
  /** Nothing was planted. */
  afterEach(async () => {
    await page.goto(app.address)
    const { data } = await askGraphql<{ targets: object[] }>(page, '{ targets { name } }')
    if (data?.targets.length !== 0) throw new Error('a target was planted')
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
    'a form of another site, as %s, with the cookie of who looks at it',
    async (type) => {
      const status =
        await answerTo(`<form method="post" action="${app.address}/t/default/graphql" enctype="${type}">
        <input name='{"query":${JSON.stringify(MUTATION)},"x":"' value='"}'></form>
        <script>document.forms[0].submit()</script>`)
      expect(status).toBe(403)
    },
  )

  test.each([
    ['as plain text', `{ method: 'POST', mode: 'no-cors', headers: { 'content-type': 'text/plain' } }`],
    ['without a type', `{ method: 'POST', mode: 'no-cors' }`],
  ])('a script of another site, %s', async (_, options) => {
    const status = await answerTo(`<script>
      fetch(${JSON.stringify(`${app.address}/t/default/graphql`)}, { ...${options}, credentials: 'include',
        body: ${JSON.stringify(JSON.stringify({ query: MUTATION }))} }).catch(() => 0)</script>`)
    expect(status).toBe(403)
  })

  test('a script that says JSON asks first, and is not allowed', async () => {
    content = `<script>
      fetch(${JSON.stringify(`${app.address}/t/default/graphql`)}, { method: 'POST', credentials: 'include',
        headers: { 'content-type': 'application/json', 'x-rollcall': '1' },
        body: ${JSON.stringify(JSON.stringify({ query: MUTATION }))} })
        .then((it) => it.text(), () => 'refused').then((it) => { document.title = it })</script>`
    await page.goto(evilAddress())
    await page.waitForFunction('document.title !== "evil"')
    await expect.poll(() => page.title()).toBe('refused')
  })

  test('a link of another site that signs out, or signs in as somebody else', async () => {
    const status = await answerTo(
      `<form method="post" action="${app.address}/session" enctype="text/plain">
        <input name='{"email":"mallory@example.org","password":"' value='"}'></form>
        <script>document.forms[0].submit()</script>`,
      '/session',
    )
    expect(status).toBe(403)
  })

  test.each(['/', '/sign-in', '/settings', '/docs', '/docs/api', '/api/v1/openapi.json'])(
    '%s in a frame',
    async (path) => {
      content = `<iframe src="${app.address}${path}" width="800" height="600"></iframe>`
      await page.goto(evilAddress())
      const frame = await page.waitForSelector('iframe').then((it) => it.contentFrame())
      await expect.poll(() => frame?.url(), { timeout: 30_000 }).toMatch(/^chrome-error:/)
    },
  )

  test('a window that another site opens does not hold the app', async () => {
    content = `<button onclick="window.opened = window.open('${app.address}/settings')">x</button>`
    await page.goto(evilAddress())
    const [popup] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button').click()])
    await popup.waitForLoadState()
    await popup.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    expect(await popup.evaluate('window.opener')).toBeNull()
    await popup.close()
  })

  test('a session that was planted before the sign-in opens nothing after it', async () => {
    const visitor = await app.visit('/sign-in')
    const planted = 'f'.repeat(64)
    await visitor.context().addCookies([{ name: COOKIE, value: planted, url: app.address }])
    await app.signIn(visitor)
    await visitor.locator('#content').waitFor()
    const first = await sessionOf(visitor)
    expect(first).not.toBe(planted)
    expect(await stateWith(planted)).toBe('signed_out')
    expect(await stateWith(first)).toBe('signed_in')

    await visitor.goto(`${app.address}/sign-in`)
    await app.signIn(visitor)
    await visitor.locator('#content').waitFor()
    expect(await sessionOf(visitor)).not.toBe(first)
    expect(await stateWith(first)).toBe('signed_out')
    await visitor.context().close()
  })

  test('the cookie is out of reach for scripts', async () => {
    const [cookie] = await page.context().cookies(app.address)
    expect(cookie).toMatchObject({ name: COOKIE, httpOnly: true, sameSite: 'Lax' })
    expect(await page.evaluate('document.cookie')).toBe('')
  })

  test.each([
    '//evil.example',
    'https:evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/.//evil.example',
  ])('a link to the sign-in page that leads to %s afterwards', async (wanted) => {
    const query = new URLSearchParams({ to: wanted, next: wanted, returnTo: wanted }).toString()
    const visitor = await app.visit(`/sign-in?${query}`)
    const asked: string[] = []
    visitor.on('request', (request) => void asked.push(new URL(request.url()).origin))
    await app.signIn(visitor)
    await visitor.locator('#content').waitFor()
    expect(new Set(asked)).toEqual(new Set([app.address]))
    await visitor.context().close()
  })

  const evilAddress = () => `http://127.0.0.1:${(evil.address() as AddressInfo).port}/`

  /** The status of what the other site's page sends to the app, from a tab of its own. */
  async function answerTo(html: string, path = '/t/default/graphql'): Promise<number> {
    content = html
    const tab = await page.context().newPage()
    const [response] = await Promise.all([
      tab.waitForResponse((it) => it.url() === app.address + path),
      tab.goto(evilAddress()).catch(() => undefined),
    ])
    // the browser does not tell the cookies of requests whose answer it keeps from the page
    const sent = await response.request().allHeaders()
    if (response.request().isNavigationRequest() && !sent['cookie']?.includes(COOKIE))
      throw new Error('it came without the cookie, so it was no attack')
    await tab.close()
    return response.status()
  }

  async function sessionOf(visitor: Page): Promise<string> {
    const cookies = await visitor.context().cookies(app.address)
    return cookies.find(({ name }) => name === COOKIE)?.value ?? ''
  }

  async function stateWith(token: string): Promise<string> {
    const headers = { cookie: `${COOKIE}=${token}`, 'x-rollcall': '1' }
    const response = await fetch(`${app.address}/session`, { headers })
    return ((await response.json()) as { state: string }).state
  }
})
