import { expect, test } from 'vitest'
import { listAssets } from '#features/assets/assets.ts'
import { mergeAssets } from '#features/assets/editing/merge-and-unlink.ts'
import { csv, seen } from '#features/assets/observations.fixture.ts'
import { listChanges } from '#features/changes/changes.ts'
import { submit } from '#features/sources/sources.ts'
import { testApp } from '#test/support/app/test-app.ts'
import { processMatchingQueue } from '../matching/matching.ts'
import { assetRisk, setAssetWeight } from './asset-risk.ts'

const PAGE = { limit: 10, offset: 0 }

test('of a merged asset the survivor takes over criticality and exposure that nobody gave it', async () => {
  const ctx = await (await testApp()).newTenant()
  await submit(ctx, csv, [
    seen('1', { serial: 'PF0AAA11' }, { name: 'alpha' }),
    seen('2', { serial: 'PF0BBB22' }, { name: 'beta' }),
    seen('3', { serial: 'PF0CCC33' }, { name: 'gamma' }),
  ])
  const { items } = await listAssets(ctx, PAGE)
  const [older = '', younger = '', last = ''] = items.map(({ id }) => id).toSorted()
  await setAssetWeight(ctx, { assetId: older, criticality: 'normal', exposure: 'isolated' })
  await setAssetWeight(ctx, { assetId: younger, criticality: 'critical', exposure: 'internet' })
  await setAssetWeight(ctx, { assetId: last, criticality: 'low', exposure: 'internet' })
  const factors = { criticality: 'critical', exposure: 'isolated' }
  for (const merged of [younger, last]) {
    const { id } = await mergeAssets(ctx, { assetIdA: older, assetIdB: merged, reason: 'the same' })
    expect(id).toBe(older)
    await processMatchingQueue(ctx)
    expect(await assetRisk(ctx, older)).toMatchObject({ factors })
    expect(await listAssets(ctx, PAGE, { where: 'criticality = critical' })).toMatchObject({ total: 1 })
  }
  const changes = await listChanges(ctx, PAGE, { assetId: older, kinds: ['field_changed'] })
  expect(changes.items.filter(({ subject }) => subject === 'criticality')).toMatchObject([
    { before: 'normal', after: 'critical' },
  ])
})
