import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { countAssets } from '#features/assets/assets.ts'
import { searchAudit } from '#features/audit/audit.ts'
import { defineCustomField } from '#features/assets/editing/custom-fields.ts'
import { setCustomField } from '#features/assets/editing/custom-values.ts'
import { recordsOf, setRecords } from '#features/records/records.ts'
import { submit } from '#features/sources/sources.ts'
import { setAssetWeight } from '#features/vulnerabilities/vulnerabilities.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import type { NewBulkChange } from './bulk-change.ts'
import {
  bulkChangeAssets,
  cancelBulkChange,
  countSelection,
  getBulkChange,
  listBulkChanges,
  startBulkChange,
  undoBulkChange,
} from './bulk-changes.ts'
import { workOnBulkChange } from './work-on-bulk-change.ts'

const shared = sharedTestApp()

/** Assets in the order of their names. */
async function assetsOf(ctx: Ctx, count: number): Promise<string[]> {
  await submit(
    ctx,
    { kind: 'csv', name: 'test' },
    Array.from({ length: count }, (_, at) => ({
      sourceKey: `host-${at}`,
      seenAt: new Date(Date.now() - 1_000),
      assetType: 'device' as const,
      name: `host-${at}`,
      tags: ['listed'],
      identifiers: [{ type: 'serial' as const, value: `serial-${at}` }],
    })),
  )
  const rows = await ctx.db.all(sql<{ id: string }>`
    select id from assets where tenant_id = ${ctx.tenantId} order by name`)
  return rows.map(({ id }) => id)
}

async function finished(ctx: Ctx, id: string) {
  await workOnBulkChange(ctx, { changeId: id })
  return getBulkChange(ctx, id)
}
const done = async (ctx: Ctx, input: NewBulkChange) => finished(ctx, (await startBulkChange(ctx, input)).id)
const undone = async (ctx: Ctx, id: string) => finished(ctx, (await undoBulkChange(ctx, id)).id)

/** All that bulk changes change. */
const state = async (ctx: Ctx) => ({
  assets: await ctx.db.all(sql`
    select id, tags, own_tags, muted_tags, archived_at, archived_by from assets
    where tenant_id = ${ctx.tenantId} order by id`),
  values: await ctx.db.all(sql`
    select asset_id, value from asset_custom_values where tenant_id = ${ctx.tenantId} order by asset_id`),
  weights: await ctx.db.all(sql`
    select asset_id, criticality, exposure from asset_weights
    where tenant_id = ${ctx.tenantId} and (criticality <> 'normal' or exposure <> 'unknown') order by asset_id`),
  records: (
    await recordsOf(
      ctx,
      (
        await ctx.db.all(
          sql<{ id: string }>`select id from assets where tenant_id = ${ctx.tenantId} order by id`,
        )
      ).map(({ id }) => id),
    )
  ).toSorted((a, b) => (a.assetId < b.assetId ? -1 : 1)),
})

/** Four assets of which one has a value of each kind already. */
async function scene() {
  const ctx = await shared().newTenant()
  const ids = await assetsOf(ctx, 4)
  const [first = ''] = ids
  const { id: fieldId } = await defineCustomField(ctx, { name: 'Cost centre', kind: 'text', choices: null })
  await setCustomField(ctx, { assetId: first, fieldId, value: 'old' })
  await setRecords(ctx, { assetIds: [first], values: { owner: 'Ada', notes: 'stays' } })
  await setAssetWeight(ctx, { assetId: first, criticality: 'low', exposure: 'internet' })
  return { ctx, ids, first, fieldId }
}

const events = async (ctx: Ctx, type: string) =>
  (
    await ctx.db.all(sql<{ body: Record<string, unknown> }>`
      select convert_from(body, 'UTF8')::jsonb as body from events
      where tenant_id = ${ctx.tenantId} and type = ${type}`)
  ).map(({ body }) => body)

test.each<[string, (fieldId: string) => Pick<NewBulkChange, 'verb' | 'values'>, number]>([
  ['add_tags', () => ({ verb: 'add_tags', values: { tags: ['lab'] } }), 4],
  ['remove_tags', () => ({ verb: 'remove_tags', values: { tags: ['listed'] } }), 4],
  ['set_weight', () => ({ verb: 'set_weight', values: { criticality: 'low' } }), 3],
  ['set_field', (fieldId) => ({ verb: 'set_field', values: { fieldId, value: 'new' } }), 4],
  ['set_field to nothing', (fieldId) => ({ verb: 'set_field', values: { fieldId, value: null } }), 1],
  ['set_record', () => ({ verb: 'set_record', values: { record: { owner: 'Bob', department: 'IT' } } }), 4],
  ['archive', () => ({ verb: 'archive' }), 4],
])('%s changes all that a condition finds, and undoing restores all', async (_, inputOf, changed) => {
  const { ctx, fieldId } = await scene()
  const before = await state(ctx)
  const change = await done(ctx, { ...inputOf(fieldId), where: 'name:host' })
  expect(change).toMatchObject({ status: 'completed', total: 4, done: 4, changed, message: '' })
  expect(await state(ctx)).not.toEqual(before)

  const undoing = await undone(ctx, change.id)
  expect(undoing).toMatchObject({ status: 'completed', total: changed, changed, undoOf: change.id })
  expect(await state(ctx)).toEqual(before)
  expect(await getBulkChange(ctx, change.id)).toMatchObject({ undoneBy: undoing.id })
  await expect(undoBulkChange(ctx, change.id)).rejects.toMatchObject({ status: 409 })
  await expect(undoBulkChange(ctx, undoing.id)).rejects.toMatchObject({ status: 409 })
})

test('reviving is undone with who archived it and when', async () => {
  const { ctx } = await scene()
  await done(ctx, { verb: 'archive', where: 'name:host' })
  const before = await state(ctx)
  const change = await done(ctx, { verb: 'revive', where: 'archived = yes' })
  expect(change).toMatchObject({ total: 4, changed: 4 })
  expect(await countAssets(ctx)).toBe(4)
  await undone(ctx, change.id)
  expect(await state(ctx)).toEqual(before)
  expect(await countAssets(ctx)).toBe(0)
})

test('each value that is set, cleared or restored emits one event; archiving and tags emit none', async () => {
  const { ctx, fieldId, ids } = await scene()
  const before = (await events(ctx, 'UPDATED_ASSET')).length
  const change = await done(ctx, { verb: 'set_field', values: { fieldId, value: 'old' }, assetIds: ids })
  expect((await events(ctx, 'UPDATED_ASSET')).length - before).toBe(3)
  await undone(ctx, change.id)
  const cleared = (await events(ctx, 'UPDATED_ASSET')).filter(
    (it) => (it['custom_field'] as { operation: string }).operation === 'clear',
  )
  expect(cleared).toHaveLength(3)
  const all = await ctx.db.all(sql`select id from events where tenant_id = ${ctx.tenantId} order by id`)
  await done(ctx, { verb: 'archive', assetIds: ids })
  await done(ctx, { verb: 'revive', assetIds: ids })
  await done(ctx, { verb: 'add_tags', values: { tags: ['x'] }, assetIds: ids })
  expect(await ctx.db.all(sql`select id from events where tenant_id = ${ctx.tenantId} order by id`)).toEqual(
    all,
  )
})

test('deleting asks for the typed count, emits DELETED_ASSET for each, keeps the names, and is final', async () => {
  const { ctx, ids } = await scene()
  for (const confirm of [undefined, 3])
    await expect(startBulkChange(ctx, { verb: 'delete', where: 'name:host', confirm })).rejects.toMatchObject(
      {
        status: 400,
        message: expect.stringContaining('must be 4'),
      },
    )
  const change = await done(ctx, { verb: 'delete', where: 'name:host', confirm: 4 })
  expect(change).toMatchObject({ status: 'completed', done: 4, changed: 4 })
  expect(await countAssets(ctx)).toBe(0)
  expect(new Set((await events(ctx, 'DELETED_ASSET')).map((it) => it['asset_id']))).toEqual(new Set(ids))
  const { items } = await bulkChangeAssets(ctx, change.id, { limit: 9, offset: 0 })
  expect(items.map(({ name }) => name).sort()).toEqual(['host-0', 'host-1', 'host-2', 'host-3'])
  await expect(undoBulkChange(ctx, change.id)).rejects.toMatchObject({ status: 409 })
})

test('nothing is deleted when more assets match than were confirmed', async () => {
  const { ctx } = await scene()
  const { id } = await startBulkChange(ctx, { verb: 'delete', where: 'name:host', confirm: 4 })
  await assetsOf(ctx, 5)
  expect(await finished(ctx, id)).toMatchObject({
    status: 'failed',
    done: 0,
    message: expect.stringContaining('5 assets match now'),
  })
  expect(await countAssets(ctx)).toBe(5)
})

test('batches are 500 assets; what a cancelled change changed stays, and can be undone', async () => {
  const ctx = await shared().newTenant()
  const ids = [...(await assetsOf(ctx, 1_000))]
  const { id } = await startBulkChange(ctx, { verb: 'archive', assetIds: ids })
  const stopping = new AbortController()
  await workOnBulkChange(ctx, { changeId: id }, abortAfter(stopping, 2)).catch(() => undefined)
  expect(await getBulkChange(ctx, id)).toMatchObject({ status: 'running', total: 1_000, done: 500 })
  expect(await cancelBulkChange(ctx, id)).toMatchObject({ status: 'cancelled', done: 500 })
  await expect(cancelBulkChange(ctx, id)).rejects.toMatchObject({ status: 409 })
  expect(await finished(ctx, id)).toMatchObject({ done: 500 })
  expect(await countAssets(ctx)).toBe(500)
  expect(await undone(ctx, id)).toMatchObject({ total: 500, changed: 500 })
  expect(await countAssets(ctx)).toBe(1_000)
})

/** A signal that aborts when it is asked for the so-manieth time. */
function abortAfter(controller: AbortController, times: number): AbortSignal {
  let asked = 0
  const { signal } = controller
  const ask = signal.throwIfAborted.bind(signal)
  signal.throwIfAborted = () => {
    if (asked++ >= times) controller.abort()
    ask()
  }
  return signal
}

test('a change is one entry of the audit log, which opens its assets', async () => {
  const { ctx, ids } = await scene()
  const from = new Date().toISOString()
  const change = await done(ctx, { verb: 'add_tags', values: { tags: ['lab'] }, assetIds: ids })
  const { items } = await searchAudit(ctx, { limit: 9, offset: 0, from })
  expect(items).toMatchObject([
    {
      action: 'bulk_change.started',
      subject: { type: 'bulk_change', id: change.id },
      details: { verb: 'add_tags', values: { tags: ['lab'] }, assets: 4 },
    },
  ])
  expect(await bulkChangeAssets(ctx, change.id, { limit: 2, offset: 1 })).toMatchObject({
    total: 4,
    items: [{ isDone: true, isChanged: true }, { isDone: true }],
  })
})

test('assets of other tenants and unknown ones are left alone', async () => {
  const { ctx, ids } = await scene()
  const other = await shared().newTenant()
  const [theirs = ''] = await assetsOf(other, 1)
  const change = await done(ctx, { verb: 'archive', assetIds: [ids[0] ?? '', theirs] })
  expect(change).toMatchObject({ total: 2, done: 2, changed: 1 })
  expect(await countAssets(other)).toBe(1)
  expect(await listBulkChanges(other, { limit: 9, offset: 0 })).toEqual({ items: [], total: 0 })
  await expect(getBulkChange(other, change.id)).rejects.toMatchObject({ status: 404 })
  await expect(undoBulkChange(other, change.id)).rejects.toMatchObject({ status: 404 })
})

test.each<[string, Partial<NewBulkChange>]>([
  ['where', {}],
  ['where', { where: '  ' }],
  ['where', { where: 'nonsense = 1' }],
  ['where', { where: 'name:a', assetIds: [] }],
  ['assetIds', { assetIds: [] }],
  ['assetIds', { assetIds: ['x'] }],
  ['assetIds', { assetIds: Array.from({ length: 10_001 }, () => '00000000-0000-0000-0000-000000000000') }],
  ['tags', { verb: 'add_tags', where: 'name:a', values: { tags: [] } }],
  ['tags', { verb: 'add_tags', where: 'name:a', values: { tags: [' '] } }],
  ['criticality', { verb: 'set_weight', where: 'name:a' }],
  ['exposure', { verb: 'set_weight', where: 'name:a', values: { exposure: 'x' as never } }],
  ['record', { verb: 'set_record', where: 'name:a' }],
  ['purchasedOn', { verb: 'set_record', where: 'name:a', values: { record: { purchasedOn: 'soon' } } }],
  ['value', { verb: 'set_field', where: 'name:a' }],
  ['confirm', { where: 'name:a', confirm: 1 }],
])('names %s when it refuses %j', async (field, input) => {
  const ctx = await shared().newTenant()
  await expect(startBulkChange(ctx, { verb: 'archive', ...input })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining(field),
  })
})

test('counts what a selection has, and asks for the permission of the verb', async () => {
  const { ctx } = await scene()
  expect(await countSelection(ctx, { where: 'name:host-1' })).toBe(1)
  const reader: Ctx = {
    ...ctx,
    actor: { ...ctx.actor, may: (it) => it === 'assets:read' || it === 'assets:write' },
  }
  await expect(
    startBulkChange(reader, { verb: 'set_weight', where: 'name:a', values: { criticality: 'low' } }),
  ).rejects.toMatchObject({ status: 403 })
})

test('a batch that fails is undone whole, and the change is given up after the third time', async () => {
  const { ctx, ids } = await scene()
  const { id } = await startBulkChange(ctx, { verb: 'archive', assetIds: ids })
  const failing: Ctx = { ...ctx, reactions: { to: () => Promise.reject(new Error('an accident')) } }
  for (const _ of [1, 2])
    await expect(workOnBulkChange(failing, { changeId: id })).rejects.toThrow('an accident')
  expect(await getBulkChange(ctx, id)).toMatchObject({ status: 'running', done: 0 })
  await workOnBulkChange(failing, { changeId: id })
  expect(await getBulkChange(ctx, id)).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('server'),
  })
  expect(await countAssets(ctx)).toBe(4)
})
