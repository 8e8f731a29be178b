import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { removeUser } from '../src/features/tenancy/members/members.ts'
import { deleteAllExpired } from '../src/features/tenancy/delete-expired.ts'
import type { Ctx } from '../src/platform/context.ts'
import { addressIn, browserOf, newPerson, PASSWORD, type Browser } from './support/http/browser-session.ts'
import { openEventStream } from './support/http/event-stream.ts'
import { testApp, type TestApp } from './support/app/test-app.ts'

/** Two nodes of one installation: people are signed in at the first, and look at a stream of either. */
async function twoNodes() {
  const here = await testApp()
  const there = await testApp({ where: here.where })
  const ctx = await here.newTenant()
  await newPerson(here, ctx)
  const person = await newPerson(here, ctx)
  return { here, there, ctx, person, browser: await browserOf(here, person) }
}

async function watch(node: TestApp, ctx: Ctx, { cookies }: Browser) {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const stream = await openEventStream((await node.address()) + (await addressIn(ctx, '/live')), { cookie })
  // one of each: nothing else comes, because nothing happens
  if (stream.status === 200) await stream.next('assets')
  return { status: stream.status, end: () => stream.next('never') }
}

type Scene = Awaited<ReturnType<typeof twoNodes>>
const endings: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  'signing out': ({ browser }) => browser.send('DELETE', '/session'),
  'signing out everywhere, from another browser': async ({ here, person }) =>
    (await browserOf(here, person)).send('DELETE', '/session/all'),
  'a new password, set in another browser': async ({ here, person }) =>
    (await browserOf(here, person)).send('POST', '/session/password', {
      current: PASSWORD,
      next: 'quite another password',
    }),
  'the end of the membership': ({ ctx, person }) => removeUser(ctx, person.id),
  'the end of the time that a session has': async ({ here }) => {
    await here.runtime.system.db.run(sql`update sessions set expires_at = clock_timestamp()`)
    await deleteAllExpired(here.runtime.system)
  },
}

test.each(Object.keys(endings))('a stream ends with %s, on every node and without news', async (name) => {
  const scene = await twoNodes()
  const streams = [
    await watch(scene.here, scene.ctx, scene.browser),
    await watch(scene.there, scene.ctx, scene.browser),
  ]
  expect(streams.map(({ status }) => status)).toEqual([200, 200])
  await endings[name]?.(scene)
  expect(await Promise.all(streams.map(({ end }) => end()))).toEqual([undefined, undefined])
})

test('another person of the tenant, and another session of the person, look on', async () => {
  const { here, ctx, person, browser } = await twoNodes()
  const colleague = await watch(here, ctx, await browserOf(here, await newPerson(here, ctx)))
  const other = await watch(here, ctx, await browserOf(here, person))
  const ended = await watch(here, ctx, browser)
  await browser.send('DELETE', '/session')
  await ended.end()
  const outcome = await Promise.race([colleague.end(), other.end(), Promise.resolve('open')])
  expect(outcome).toBe('open')
})

test('who is no member hears nothing, as where there is no such tenant', async () => {
  const { here, browser } = await twoNodes()
  const cookie = `rollcall_session=${browser.cookies.get('rollcall_session')}`
  const address = await here.address()
  for (const path of [await addressIn(await here.newTenant(), '/live'), '/t/no-such/live'])
    expect((await openEventStream(address + path, { cookie })).status).toBe(404)
})
