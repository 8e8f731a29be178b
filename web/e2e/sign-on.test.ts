import { afterAll, beforeAll, expect, test } from 'vitest'
import { CLIENT, identityProvider } from '../../server/test/support/single-sign-on/identity-provider.ts'
import { openApp, type App } from './app.ts'
import { needsChromium } from './needs-chromium.ts'

const ALICE = { email: 'alice@corp.example', email_verified: true, name: 'Alice' }
const MALLORY = { email: 'mallory@elsewhere.example', email_verified: true, name: 'Mallory' }

needsChromium('signing in through the organisation', () => {
  let app: App
  beforeAll(async () => {
    app = await openApp({ WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' })
  }, 120_000)
  afterAll(() => app?.close())

  test('it is set up in the settings, then offered to strangers, and lets in whom the provider knows', async () => {
    const stranger = await app.visit('/sign-in')
    await stranger.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    // it has been told what is offered
    await stranger.waitForLoadState('networkidle')
    await expect
      .poll(() => stranger.getByRole('button', { name: 'Sign in with your organisation' }).count())
      .toBe(0)

    const people = { alice: ALICE, mallory: MALLORY }
    const { issuer } = await identityProvider(`${app.address}/session/sign-on/callback`, people)
    const admin = await app.enter('/settings')
    await admin.getByRole('heading', { name: 'Single sign-on' }).waitFor()
    const panel = admin.locator('section', { hasText: 'People sign in with passwords kept here' })
    await panel.getByRole('button', { name: 'Set up' }).click()
    const form = admin.getByRole('dialog', { name: 'Single sign-on' })
    await form.getByLabel('Issuer').fill(`${app.address}/nothing`)
    await form.getByLabel('Client id').fill(CLIENT.clientId)
    await form.getByRole('textbox', { name: 'Client secret' }).fill(CLIENT.clientSecret)
    await form.getByLabel('Domains').fill('corp.example')
    await admin.keyboard.press('Enter')
    await form.getByRole('combobox', { name: 'Newcomers become' }).click()
    await admin.getByRole('option', { name: 'Viewer' }).click()
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText(/^Does not answer as an OpenID Connect provider/).waitFor()
    await form.getByLabel('Issuer').fill(issuer)
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })

    const alice = await app.visit('/sign-in?to=/assets')
    await alice.getByRole('button', { name: 'Sign in with your organisation' }).click()
    await alice.getByPlaceholder(/login/i).fill('alice')
    await alice.getByPlaceholder(/password/i).fill('any')
    await alice.getByRole('button', { name: /sign-in/i }).click()
    await alice.getByRole('button', { name: /continue/i }).click()
    await alice.getByText('No assets yet').waitFor()
    await alice.goto(`${app.address}/settings`)
    await alice.getByText('You signed in through your organisation').waitFor()

    const mallory = await app.visit('/sign-in')
    await mallory.getByRole('button', { name: 'Sign in with your organisation' }).click()
    await mallory.getByPlaceholder(/login/i).fill('mallory')
    await mallory.getByPlaceholder(/password/i).fill('any')
    await mallory.getByRole('button', { name: /sign-in/i }).click()
    await mallory.getByRole('button', { name: /continue/i }).click()
    const refusal = await mallory.getByRole('alert').innerText()
    expect(refusal).toBe(
      'Your email address is none that your organisation may speak for. Ask its administrator.',
    )
  })

  test('where there are several organisations, one says which', async () => {
    await app.rollcall('tenant', 'create', 'globex')
    const page = await app.visit('/sign-in')
    await page.getByRole('button', { name: 'Sign in with your organisation' }).click()
    await page.getByLabel('Organisation').fill('globex')
    await page.getByRole('button', { name: 'Sign in with your organisation' }).click()
    await expect.poll(() => page.getByRole('alert').innerText()).toMatch(/sign-on/)
  })
})
