import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { work } from './cloud.fixture.ts'
import {
  listConnections,
  listCoverage,
  listResources,
  recordSampleResources,
  sampleConnection,
} from './cloud.ts'

const home = sharedTestApp()
const PAGE = { limit: 10, offset: 0 }

test('resources for demonstration are listed once, of a connection that is off and never read', async () => {
  const ctx = await home().newTenant()
  const sample = {
    account: '111122223333',
    region: 'eu-central-1',
    type: 'storage' as const,
    nativeId: 'arn:aws:s3:::b',
    name: 'b',
    status: 'available',
    tags: [],
  }
  for (let times = 0; times < 2; times += 1) {
    const { connection } = await sampleConnection(ctx, 'AWS', 'AWS (demo)')
    await recordSampleResources(ctx, connection, [sample])
    await work(ctx)
  }
  const { items, total } = await listResources(ctx, PAGE)
  expect([total, items[0]?.name, items[0]?.region]).toEqual([1, 'b', 'eu-central-1'])
  const [connection, ...others] = await listConnections(ctx)
  expect([connection?.isEnabled, connection?.plannedAt, others]).toEqual([false, null, []])
  const coverage = await listCoverage(ctx, connection?.id ?? '', PAGE)
  expect(coverage.items.map(({ status }) => status)).toEqual(['complete'])
})
