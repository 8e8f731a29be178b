import { expect, test } from 'vitest'
import { listSources, submit } from '#features/sources/sources.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { queryAssets } from './filter-and-sort.ts'
import type { Observation } from '../observation.ts'
import type { AssetQuery } from './asset-query.ts'

const MANY = 2_100
const page = { limit: 3, offset: 0 }

const machine = (n: number, ip: string, tags: readonly string[]): Observation => ({
  sourceKey: `m${n}`,
  seenAt: new Date(Date.UTC(2026, 0, 1, 0, 0, n)),
  identifiers: [
    { type: 'serial', value: `SN-${n}-X` },
    { type: 'ip', value: ip },
  ],
  tags,
})

test('what is common and what is rare is found alike, by tag and by source, in any order', async () => {
  const ctx = await (await testApp()).newTenant()
  const common = Array.from({ length: MANY }, (_, n) => machine(n, `10.1.${n >> 8}.${n & 255}`, ['common']))
  for (let at = 0; at < MANY; at += 700)
    await submit(ctx, { kind: 'csv', name: 'all' }, common.slice(at, at + 700))
  await submit(ctx, { kind: 'csv', name: 'few' }, [
    machine(9_001, '10.1.0.100', ['rare', 'common']),
    machine(9_002, '9.9.9.9', ['rare']),
  ])
  const [all, few] = ['all', 'few'].map(
    async (name) => (await listSources(ctx)).find((it) => it.name === name)?.id,
  )
  const found = async (query: Parameters<typeof queryAssets>[2]) => {
    const { items, total } = await queryAssets(ctx, page, query)
    return [total, items.map(({ ipAddress }) => ipAddress)]
  }
  expect(await found({ tag: 'common', sort: 'ipAddress', direction: 'asc' })).toEqual([
    MANY + 1,
    ['10.1.0.0', '10.1.0.1', '10.1.0.2'],
  ])
  expect(await found({ tag: 'rare', sort: 'ipAddress', direction: 'asc' })).toEqual([
    2,
    ['9.9.9.9', '10.1.0.100'],
  ])
  expect(await found({ sourceId: await all, sort: 'lastSeen' })).toEqual([
    MANY,
    ['10.1.8.51', '10.1.8.50', '10.1.8.49'],
  ])
  // both have none, and ids made in one millisecond have no order
  const [total, atRisk] = await found({ tag: 'rare', sort: 'riskScore' })
  expect([total, [...(atRisk as string[])].toSorted()]).toEqual([2, ['10.1.0.100', '9.9.9.9']])
  expect(await found({ sourceId: await few, tag: 'common' })).toEqual([1, ['10.1.0.100']])
  expect(await found({ tag: 'unheard of' })).toEqual([0, []])
})

test('issue 17: of what most is known comes first, the last seen of equals before the others', async () => {
  const ctx = await (await testApp()).newTenant()
  const asset = (n: number, facts: Partial<Observation>): Observation => ({
    ...machine(n, `10.2.0.${n}`, []),
    name: `a${n}`,
    ...facts,
  })
  await submit(ctx, { kind: 'csv', name: 'all' }, [
    asset(1, { os: 'Debian GNU/Linux 12', vendor: 'Dell', model: 'R650' }),
    asset(2, {}),
    asset(3, {}),
    asset(4, { os: 'Debian GNU/Linux 12' }),
  ])
  const names = async (query: AssetQuery) =>
    (await queryAssets(ctx, { limit: 10, offset: 0 }, { sort: 'known', ...query })).items.map(
      ({ name }) => name,
    )
  expect(await names({ direction: 'desc' })).toEqual(['a1', 'a4', 'a3', 'a2'])
  expect(await names({ direction: 'asc' })).toEqual(['a2', 'a3', 'a4', 'a1'])
  expect(await names({ direction: 'desc', where: 'os : debian' })).toEqual(['a1', 'a4'])
  expect(await names({ direction: 'desc', search: '10.2.0.0/30' })).toEqual(['a1', 'a3', 'a2'])
  expect((await queryAssets(ctx, { limit: 10, offset: 0 }, {})).items.map(({ name }) => name)).toEqual([
    'a4',
    'a3',
    'a2',
    'a1',
  ])
})
