import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp, type App, type Person } from './app.ts'
import { codeOf } from './authenticator.ts'
import { needsChromium } from './needs-chromium.ts'

needsChromium('what people do with their own account', () => {
  let app: App
  beforeAll(async () => {
    app = await openApp()
  }, 120_000)
  afterAll(() => app?.close())

  test('a second factor is set up, asked for, stood in for by a recovery code, and removed', async () => {
    const ada = await app.invite('ada@example.org', 'viewer', { name: 'Ada' })
    const page = await app.enter('/settings', { as: ada })
    const { uri, recoveryCodes } = await setUp(page, ada)
    expect(recoveryCodes.length).toBeGreaterThanOrEqual(8)
    await page.getByText('recovery codes left').waitFor()

    const again = await app.visit('/sign-in?to=/settings')
    await app.signIn(again, ada)
    await again.getByRole('heading', { name: 'Second step' }).waitFor()
    await answerWith(again, '000000')
    await again.getByRole('alert').waitFor()
    await answerWith(again, codeOf(uri, 1))
    await again.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()

    const lost = await app.visit('/sign-in?to=/settings')
    await app.signIn(lost, ada)
    await answerWith(lost, recoveryCodes[0] ?? '')
    await lost.getByText(`${recoveryCodes.length - 1} recovery codes left`).waitFor()
    await lost.getByRole('button', { name: 'Remove' }).first().click()
    const form = lost.getByRole('dialog', { name: 'Remove the second factor' })
    await form.getByRole('textbox', { name: 'Your password' }).fill(ada.password)
    await form.getByLabel('Code').fill(recoveryCodes[0] ?? '')
    await form.getByRole('button', { name: 'Remove it' }).click()
    await form.getByText(/used before/).waitFor()
    await form.getByLabel('Code').fill(recoveryCodes[1] ?? '')
    await form.getByRole('button', { name: 'Remove it' }).click()
    await lost.getByRole('button', { name: 'Set up' }).first().waitFor()
    await (await app.enter('/settings', { as: ada })).getByText('Off').first().waitFor()
  })

  test('a forgotten password is set anew by the link that the operator hands over, once', async () => {
    const bob = await app.invite('bob@example.org', 'viewer', { name: 'Bob' })
    const before = await app.enter('/settings', { as: bob })
    const { link } = await app.rollcall<{ link: string }>('user', 'reset-password', bob.email)
    const path = link.slice(link.indexOf('/reset-password'))
    const page = await app.visit(path)
    await choose(page, 'short', 'short')
    await page.getByRole('alert').waitFor()
    await choose(page, 'quite another four words', 'something else')
    await page.getByText('The two are not the same.').waitFor()
    await choose(page, 'quite another four words', 'quite another four words')
    await page.getByRole('heading', { name: 'The password is set' }).waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await app.signIn(page, { ...bob, password: 'quite another four words' })
    await page.locator('#content').waitFor()
    await before.goto(`${app.address}/assets`)
    await before.getByRole('heading', { name: 'Sign in' }).waitFor()

    const late = await app.visit(path)
    await choose(late, 'yet another four words', 'yet another four words')
    await expect.poll(() => late.getByRole('alert').innerText()).toMatch(/used already|too old/)
  })

  test('an invitation leads in once, with a password that the newcomer chooses', async () => {
    const { link } = await app.rollcall<{ link: string }>(
      'user',
      'invite',
      'eve@example.org',
      '--role',
      'viewer',
    )
    const path = link.slice(link.indexOf('/invitation'))
    const page = await app.visit(path)
    await page.getByText('eve@example.org is invited as Viewer.').waitFor()
    await page.getByLabel('Your name').fill('Eve')
    await page.getByRole('textbox', { name: 'Password' }).fill('short')
    await page.getByRole('button', { name: 'Join' }).click()
    await page
      .getByText(/characters/)
      .first()
      .waitFor()
    await page.getByRole('textbox', { name: 'Password' }).fill('four words nobody guesses')
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByText('Nothing has been found yet').waitFor()
    const late = await app.visit(path)
    await late.getByText(/used already or is too old/).waitFor()
    await expect.poll(() => late.getByRole('button', { name: 'Join' }).count()).toBe(0)
  })

  test('an organisation is renamed', async () => {
    const page = await app.enter('/settings')
    await page.getByRole('button', { name: 'Rename' }).click()
    const form = page.getByRole('dialog', { name: 'Rename the organisation' })
    await form.getByLabel('Name').fill('Initech')
    await form.getByRole('button', { name: 'Rename' }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByText('Your account, and the organisation Initech.').waitFor()
    await page.goto(`${app.address}/audit`)
    await page.getByRole('row', { name: /Organisation renamed.*Initech/ }).waitFor()
    await expect.poll(() => page.title()).toContain('Audit log')
  })
})

/** Answers the otpauth address that the page shows as a picture, and the recovery codes. */
async function setUp(page: Page, { password }: Person): Promise<{ uri: string; recoveryCodes: string[] }> {
  await page.getByRole('button', { name: 'Set up' }).first().click()
  const form = page.getByRole('dialog', { name: 'Set up a second factor' })
  await form.getByRole('textbox', { name: 'Your password' }).fill('not the password')
  await form.getByRole('button', { name: 'Continue' }).click()
  await form.getByText(/wrong/).waitFor()
  await form.getByRole('textbox', { name: 'Your password' }).fill(password)
  await form.getByRole('button', { name: 'Continue' }).click()
  const picture = form.getByRole('img', { name: /camera/ })
  await picture.waitFor()
  const uri = (await form.getByRole('link', { name: /Open the app/ }).getAttribute('href')) ?? ''
  expect(uri).toMatch(/^otpauth:\/\/totp\/.*secret=[A-Z2-7]{32}/)
  await form.getByLabel('Code').fill('000000')
  await form.getByRole('button', { name: 'Confirm' }).click()
  await form.getByText(/wrong/).waitFor()
  await form.getByLabel('Code').fill(codeOf(uri))
  await form.getByRole('button', { name: 'Confirm' }).click()
  const codes = page.getByRole('dialog', { name: 'Recovery codes' })
  await codes.waitFor()
  const recoveryCodes = await codes.locator('code').allInnerTexts()
  await codes.getByRole('button').last().click()
  return { uri, recoveryCodes: recoveryCodes.flatMap((text) => text.split(/\s+/)).filter(Boolean) }
}

async function answerWith(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code').fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()
}

async function choose(page: Page, password: string, again: string): Promise<void> {
  await page.getByRole('textbox', { name: 'New password' }).fill(password)
  await page.getByRole('textbox', { name: 'The same again' }).fill(again)
  await page.getByRole('button', { name: 'Set the password' }).click()
}
