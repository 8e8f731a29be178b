import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { features } from '../src/app.ts'
import { inviteAs } from '../src/features/tenancy/members/invitations.ts'
import type { Ctx } from '../src/platform/context.ts'
import { addressIn, browserOf, newPerson, type Browser } from './support/http/browser-session.ts'
import { sharedTestApp } from './support/app/test-app.ts'
import { graphqlRecordFactories } from './support/api-coverage/graphql-record-factories.ts'
import { nouns, operations, textOf, type IdOf, type Noun } from './support/api-coverage/graphql-operations.ts'

// Every request of the app names its tenant in its address: it reaches that one, as far as the person belongs to it.

const shared = sharedTestApp()
let mine: Ctx
let theirs: Ctx
/** A member of mine alone, and one of both. */
let me: Browser
let both: Browser
const foreign = new Map<Noun, string>()
beforeAll(async () => {
  mine = await shared().newTenant()
  theirs = await shared().newTenant()
  me = await browserOf(shared(), await newPerson(shared(), mine))
  const person = await newPerson(shared(), mine)
  both = await browserOf(shared(), person)
  const { token } = await inviteAs(theirs, person.email, 'admin')
  await both.send('POST', '/session/invitation/accept', { token })
  for (const noun of nouns) foreign.set(noun, await graphqlRecordFactories[noun](shared(), theirs))
})

const foreignId: IdOf = (noun) => foreign.get(noun) ?? ''
const nobodys: IdOf = () => randomUUID()
const nowhere = '/t/no-such-tenant'
const names = Object.keys(operations)
const withId = names.filter((name) => textOf(name, () => '#').includes('#'))

const ask = async (browser: Browser, place: string, query: string) => {
  const { status, text } = await browser.send('POST', `${place}/graphql`, { query })
  return { status, text: text.replaceAll(place, '/t/…') }
}

test.each(names)('%s is refused in a tenant of others as in one that never was', async (name) => {
  const query = textOf(name, foreignId)
  const answer = await ask(me, await addressIn(theirs, ''), query)
  expect(answer).toEqual(await ask(me, nowhere, query))
  expect([answer.status, JSON.parse(answer.text)]).toMatchObject([404, { error: 'tenant_not_found' }])
})

test.each(withId)('%s reaches from one tenant of a person nothing of another of theirs', async (name) => {
  const place = await addressIn(mine, '')
  expect(await ask(both, place, textOf(name, foreignId))).toEqual(
    await ask(both, place, textOf(name, nobodys)),
  )
})

const files = features
  .flatMap(({ files }) => files ?? [])
  .map((it) => [`${it.method} /files${it.path}`, it] as const)

test.each(files)('%s is refused in a tenant of others as in one that never was', async (_, route) => {
  const send = async (place: string) => {
    const body = route.method === 'POST' ? { body: 'x' } : {}
    const { status, text } = await me.sendRaw(route.method, `${place}/files${route.path}`, {
      headers: { 'x-rollcall': '1', 'content-type': 'application/octet-stream' },
      ...body,
    })
    return { status, text: text.replaceAll(place, '/t/…') }
  }
  const answer = await send(await addressIn(theirs, ''))
  expect(answer).toEqual(await send(nowhere))
  expect([answer.status, JSON.parse(answer.text)]).toMatchObject([404, { error: 'tenant_not_found' }])
})

test('what names no tenant is no door', async () => {
  for (const path of ['/graphql', '/files/assets.csv', '/live'])
    expect((await me.send('GET', path)).status).toBe(404)
  expect((await me.send('POST', '/graphql', { query: '{ assets { total } }' })).status).toBe(404)
})

test('after all that they still have what was theirs', async () => {
  const text = await ask(both, await addressIn(theirs, ''), `{ asset(id: "${foreignId('asset')}") { id } }`)
  expect(text).toMatchObject({ status: 200, text: expect.stringContaining(foreignId('asset')) })
})
