import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { anyConnection } from '../cloud.fixture.ts'
import { recordSampleResources } from '../sample-resources.ts'
import type { CostSum } from './cost-sums.ts'
import * as store from './cost-store.ts'

const home = sharedTestApp()

const SUM = { account: 'a', resource: '', month: '2026-09-01', currency: 'EUR' }
/** One euro for each day. */
const days = (...of: readonly number[]): CostSum['days'] =>
  Object.fromEntries(of.map((it) => [`2026-09-${String(it).padStart(2, '0')}`, '1']))
const fromTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)

test('a month with a hole in it is not whole until its days are told', async () => {
  const ctx = await home().newTenant()
  const writing = { connection: await anyConnection(ctx), by: 'day' as const }
  const after = async (...told: readonly number[]) => {
    await store.putAccounts(ctx, writing, [{ ...SUM, days: days(...told) }])
    const [it] = await store.months(ctx, SUM.month)
    return [it?.amount, it?.knownFrom.slice(8), it?.knownUntil.slice(8), it?.isWhole]
  }
  expect(await after(...fromTo(1, 5))).toEqual(['5.00', '01', '05', false])
  expect(await after(...fromTo(8, 30))).toEqual(['28.00', '01', '30', false])
  expect(await after(6, 7)).toEqual(['30.00', '01', '30', true])
})

test('of each sum: what the resources of its account cost in its month and currency', async () => {
  const ctx = await home().newTenant()
  const connection = await anyConnection(ctx)
  const resource = { region: 'r', type: 'storage' as const, name: 'n', status: '', tags: [] }
  await recordSampleResources(ctx, connection, [
    { ...resource, account: 'a', nativeId: 'a-1' },
    { ...resource, account: 'a', nativeId: 'a-2' },
    { ...resource, account: 'b', nativeId: 'b-1' },
  ])
  const writing = { connection, by: 'month' as const }
  const sum = (account: string, of: string, amount: string, more: Partial<CostSum> = {}): CostSum => {
    const it = { ...SUM, account, resource: of, ...more }
    return { ...it, days: { [it.month]: amount } }
  }
  const [august, dollars] = [{ month: '2026-08-01' }, { currency: 'USD' }]
  await store.putAccounts(ctx, writing, [
    sum('a', '', '10'),
    sum('a', '', '9', dollars),
    sum('a', '', '8', august),
    sum('b', '', '7'),
    sum('c', '', '6'),
  ])
  await store.putResources(ctx, writing, [
    sum('a', 'a-1', '1.5'),
    sum('a', 'a-2', '2'),
    sum('a', 'a-1', '3', dollars),
    sum('a', 'a-1', '4', august),
    sum('b', 'b-1', '5'),
  ])
  const all = await store.months(ctx, august.month)
  expect(all.map((it) => [it.month, it.account, it.currency, it.amount, it.ofResources])).toEqual([
    ['2026-09', 'a', 'EUR', '10.00', '3.50'],
    ['2026-09', 'a', 'USD', '9.00', '3.00'],
    ['2026-09', 'b', 'EUR', '7.00', '5.00'],
    ['2026-09', 'c', 'EUR', '6.00', '0.00'],
    ['2026-08', 'a', 'EUR', '8.00', '4.00'],
  ])
  expect(await store.months(ctx, SUM.month)).toEqual(all.slice(0, 4))
})
