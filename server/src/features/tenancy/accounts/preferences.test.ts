import { expect, test } from 'vitest'
import { searchAudit } from '#features/audit/audit.ts'
import { browserAt, browserOf, newPerson, type Browser } from '#test/support/http/browser-session.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'

interface Look {
  readonly user: { readonly preferences: unknown }
}

const shared = sharedTestApp()
const NONE = { language: null, timeZone: null, dateFormat: null, numberFormat: null }
const GERMAN = { language: 'de', timeZone: 'Europe/Berlin', dateFormat: 'iso', numberFormat: 'dot_comma' }

const seenBy = async (browser: Browser) => (await browser.send<Look>('GET', '/session')).body.user.preferences
const save = (browser: Browser, wanted: object) => browser.send('POST', '/session/preferences', wanted)

test('a person chooses how they read the app, in every browser, and the log says so', async () => {
  const ctx = await shared().newTenant()
  const who = await newPerson(shared(), ctx)
  const [mine, elsewhere] = [await browserOf(shared(), who), await browserOf(shared(), who)]
  expect(await seenBy(mine)).toEqual(NONE)
  expect((await save(mine, GERMAN)).status).toBe(204)
  expect(mine.cookies.get('rollcall_language')).toBe('de')
  expect(await seenBy(elsewhere)).toEqual(GERMAN)
  expect(elsewhere.cookies.get('rollcall_language')).toBe('de')
  const { items } = await searchAudit(ctx, { limit: 1, offset: 0, action: 'user.preferences_changed' })
  expect(items).toMatchObject([{ details: { before: NONE, after: GERMAN } }])
  expect((await save(mine, GERMAN)).status).toBe(204)
  expect(await searchAudit(ctx, { limit: 9, offset: 0, action: 'user.preferences_changed' })).toMatchObject({
    total: 1,
  })
  await save(mine, NONE)
  expect([await seenBy(mine), mine.cookies.get('rollcall_language') ?? '']).toEqual([NONE, ''])
})

test('the language comes with the sign-in, and another person has their own', async () => {
  const ctx = await shared().newTenant()
  const [who, other] = [await newPerson(shared(), ctx), await newPerson(shared(), ctx)]
  await save(await browserOf(shared(), who), GERMAN)
  expect((await browserOf(shared(), who)).cookies.get('rollcall_language')).toBe('de')
  expect(await seenBy(await browserOf(shared(), other))).toEqual(NONE)
})

test.each([
  [{ ...NONE, language: 'xx' }, 'language'],
  [{ ...NONE, timeZone: 'Mars/Olympus' }, 'timeZone'],
  [{ ...NONE, timeZone: '+01:00' }, 'timeZone'],
  [{ ...NONE, dateFormat: 'yy' }, 'dateFormat'],
  [{ ...NONE, numberFormat: 7 }, 'numberFormat'],
])('%j is refused by name', async (wanted, field) => {
  const ctx = await shared().newTenant()
  const answer = await save(await browserOf(shared(), await newPerson(shared(), ctx)), wanted)
  expect([answer.status, answer.body]).toMatchObject([400, { message: expect.stringContaining(field) }])
})

test('who is not signed in saves nothing', async () => {
  expect((await save(browserAt(shared()), GERMAN)).status).toBe(401)
})
