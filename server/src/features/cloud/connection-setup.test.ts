import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { describeProviders, proposeConnection } from './connection-setup.ts'

const home = sharedTestApp()

test.each([
  ['https://inventory.example.com', true],
  ['https://inventory.example.com:8443', true],
  ['https://8.8.8.8', true],
  ['https://[2606:4700::1111]', true],
  ['http://inventory.example.com', false],
  ['https://10.1.2.3', false],
  ['https://[fd00::1]', false],
  ['https://inventory', false],
  ['https://inventory.local', false],
  ['https://inventory.corp', false],
  ['https://inventory.home.arpa', false],
])('providers can verify tokens of %s: %s', async (publicUrl, isPublic) => {
  const ctx = { ...(await home().newTenant()), publicUrl }
  const all = (await describeProviders(ctx)).flatMap(({ signIns }) => signIns)
  const verified = all.filter(({ fetchesKeys }) => fetchesKeys)
  expect(verified.length).toBeGreaterThan(1)
  expect(new Set(verified.map(({ warning }) => warning === ''))).toEqual(new Set([isPublic]))
  expect(all.filter(({ fetchesKeys, warning }) => !fetchesKeys && warning !== '')).toEqual([])
})

test('a proposal keeps an id that is given, and refuses what is none', async () => {
  const ctx = await home().newTenant()
  const first = await proposeConnection(ctx)
  expect(await proposeConnection(ctx, first.connectionId)).toEqual(first)
  expect((await proposeConnection(ctx)).externalId).not.toBe(first.externalId)
  await expect(proposeConnection(ctx, 'x')).rejects.toMatchObject({ status: 400, extras: { field: 'id' } })
})
