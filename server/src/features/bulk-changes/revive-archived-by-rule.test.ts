import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { archiveAsset } from '#features/assets/archive/archive.ts'
import { archiveUnseen, setArchiveRules } from '#features/assets/archive/archive-rules.ts'
import { countAssets, getAsset, listAssets } from '#features/assets/assets.ts'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { getBulkChange, startBulkChange } from './bulk-changes.ts'
import { workOnBulkChange } from './work-on-bulk-change.ts'

const shared = sharedTestApp()

async function createAsset(ctx: Ctx, name: string): Promise<{ id: string }> {
  await submit(ctx, { kind: 'csv', name: 'test' }, [
    { sourceKey: name, seenAt: ctx.now(), name, identifiers: [{ type: 'hostname', value: name }] },
  ])
  return ctx.db.one(sql<{ id: string }>`
    select id from assets where tenant_id = ${ctx.tenantId} and hostname = ${name}`)
}

test('what a rule archived is found by who archived it and when, and revived without what a person archived', async () => {
  const ctx = await shared().newTenant()
  const { id: byHand } = await createAsset(ctx, 'by-hand')
  const others = [await createAsset(ctx, 'one'), await createAsset(ctx, 'two')].map(({ id }) => id)
  const later = { ...ctx, now: () => new Date(Date.now() + 40 * 86_400_000) }
  await archiveAsset(ctx, byHand)
  await setArchiveRules(ctx, [{ sourceKind: 'csv', days: 30 }])
  await archiveUnseen(later)
  expect(await countAssets(ctx)).toBe(0)

  const found = async (where: string) =>
    (await listAssets(later, { limit: 9, offset: 0 }, { where })).items.map(({ id }) => id).toSorted()
  const where = 'archived_by = RULE and archived_at > -1h'
  expect(await found(where)).toEqual(others.toSorted())
  expect(await found('archived_at < -1d')).toEqual([byHand])
  const { archivedBy } = await getAsset(ctx, byHand)
  expect(await found(`archived_by = ${JSON.stringify(archivedBy)}`)).toEqual([byHand])

  const { id } = await startBulkChange(later, { verb: 'revive', where })
  await workOnBulkChange(later, { changeId: id })
  expect(await getBulkChange(later, id)).toMatchObject({ status: 'completed', changed: 2 })
  expect(await found('archived = no')).toEqual(others.toSorted())
  expect(await found('has archived_by')).toEqual([byHand])
})
