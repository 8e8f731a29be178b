import { expect, test } from 'vitest'
import { createTarget } from '#features/scans/scans.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { refusedBeyond } from '#test/support/refused-beyond.ts'
import { createDiscovery, updateDiscovery } from './discoveries.ts'

const home = sharedTestApp()
const night = { days: [1], from: '22:00', to: '05:00' }

test.each<[string, number, (size: number) => object]>([
  ['name', 200, (n) => ({ name: 'x'.repeat(n) })],
  ['hostsAtOnce', 64, (n) => ({ hostsAtOnce: n })],
  ['windows', 20, (n) => ({ windows: Array.from({ length: n }, () => night) })],
])('%s of a discovery goes to %i, and no further', async (field, most, changes) => {
  const ctx = await home().newTenant()
  const target = await createTarget(ctx, { name: 'sites', entries: ['192.0.2.0/30'] })
  const { id } = await createDiscovery(ctx, { name: 'nightly', targetId: target.id })
  expect(await refusedBeyond(most, (size) => updateDiscovery(ctx, id, changes(size)))).toBe(field)
})
