import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { createUser } from '#features/tenancy/tenancy.ts'
import type { Ctx } from '#platform/context.ts'
import { deleteView, listViews, saveView } from './saved-views.ts'

const shared = sharedTestApp()

test('the condition of a view is stored as text beside the view, and comes back in the view', async () => {
  const ctx = await shared().newTenant()
  const view = { where: 'os:windows and seen < -30d', sort: 'name' }
  expect((await saveView(ctx, { name: 'Old Windows', view })).view).toEqual(view)
  expect((await saveView(ctx, { name: 'All', view: { sort: 'name' } })).view).toEqual({ sort: 'name' })
  expect((await listViews(ctx)).map((it) => it.view)).toEqual([{ sort: 'name' }, view])
  expect(
    await ctx.db.all(sql`
      select condition, view from saved_views where tenant_id = ${ctx.tenantId}
      order by name desc`),
  ).toEqual([
    { condition: view.where, view: { sort: 'name' } },
    { condition: null, view: { sort: 'name' } },
  ])
  await expect(saveView(ctx, { name: 'x', view: { where: 'os:' } })).rejects.toThrow('view.where')
})

async function person(ctx: Ctx, may: readonly string[] = ['assets:read', 'assets:write']): Promise<Ctx> {
  const email = `p-${crypto.randomUUID()}@example.org`
  const system = { ...shared().runtime.system, tenantId: ctx.tenantId }
  const { id } = await createUser(system, { email, password: 'correct horse battery', isAdmin: true })
  return { ...ctx, actor: { kind: 'user', id, name: email, may: (permission) => may.includes(permission) } }
}

test('a view that is shared is there for everybody in the tenant, changed by its person alone', async () => {
  const ctx = await shared().newTenant()
  const [ann, bob] = [await person(ctx), await person(ctx)]
  const view = { where: 'os:windows' }
  const { id } = await saveView(ann, { name: 'Depot', view, isShared: true })
  await saveView(ann, { name: 'Mine', view })
  expect(await listViews(bob)).toEqual([
    { id, subject: 'asset', name: 'Depot', view, isShared: true, isOwn: false, sharedBy: ann.actor.name },
  ])
  const own = await saveView(bob, { name: 'Depot', view: { sort: 'os' } })
  expect(own).toMatchObject({ isShared: false, isOwn: true })
  expect(await listViews(ann)).toMatchObject([{ id, view, isOwn: true, sharedBy: null }, { name: 'Mine' }])
  await expect(deleteView(bob, id)).rejects.toMatchObject({ status: 404 })
  const other = await person(await shared().newTenant())
  expect(await listViews(other)).toEqual([])
  await expect(deleteView(other, id)).rejects.toMatchObject({ status: 404 })
})

test('a shared view stays shared when it is saved again, until that is taken back', async () => {
  const ctx = await shared().newTenant()
  const [ann, bob] = [await person(ctx), await person(ctx)]
  await saveView(ann, { name: 'Depot', view: {}, isShared: true })
  expect(await saveView(ann, { name: 'Depot', view: { sort: 'os' } })).toMatchObject({ isShared: true })
  expect(await listViews(bob)).toMatchObject([{ view: { sort: 'os' } }])
  await saveView(ann, { name: 'Depot', view: {}, isShared: false })
  expect(await listViews(bob)).toEqual([])
})

test('who only reads shares nothing; an administrator removes what others share, not what they keep', async () => {
  const ctx = await shared().newTenant()
  const reader = await person(ctx, ['assets:read'])
  await expect(saveView(reader, { name: 'x', view: {}, isShared: true })).rejects.toMatchObject({
    status: 403,
  })
  const kept = await saveView(reader, { name: 'x', view: {} })
  const ann = await person(ctx)
  const { id } = await saveView(ann, { name: 'Depot', view: {}, isShared: true })
  const admin = await person(ctx, ['assets:read', 'settings:write'])
  await expect(deleteView(admin, kept.id)).rejects.toMatchObject({ status: 404 })
  await deleteView(admin, id)
  expect(await listViews(ann)).toEqual([])
})

test('who may no longer share leaves what everybody sees as it is', async () => {
  const ctx = await shared().newTenant()
  const [ann, bob] = [await person(ctx), await person(ctx)]
  const { id } = await saveView(ann, { name: 'Depot', view: { sort: 'os' }, isShared: true })
  const may = (permission: string) => permission === 'assets:read'
  const demoted = { ...ann, actor: { ...ann.actor, may } }
  for (const isShared of [undefined, false])
    await expect(
      saveView(demoted, { name: 'Depot', view: {}, ...(isShared !== undefined && { isShared }) }),
    ).rejects.toThrow('assets:write')
  await expect(deleteView(demoted, id)).rejects.toMatchObject({ status: 404 })
  expect(await listViews(bob)).toMatchObject([{ id, view: { sort: 'os' } }])
  const own = await saveView(demoted, { name: 'Mine', view: {} })
  await deleteView(demoted, own.id)
  await deleteView(ann, id)
  expect(await listViews(bob)).toEqual([])
})

test('who may write what a list is of shares views of that list, and of no other', async () => {
  const ctx = await shared().newTenant()
  const writer = await person(ctx, ['assets:read', 'flows:read', 'flows:write'])
  const view = { subject: 'flow_run', name: 'Failed', view: {}, isShared: true }
  expect(await saveView(writer, view)).toMatchObject({ isShared: true })
  await expect(saveView(writer, { ...view, subject: 'asset' })).rejects.toThrow('assets:write')
})

test('a view belongs to one list: its condition is about that noun, and its name is taken there alone', async () => {
  const ctx = await shared().newTenant()
  const view = { where: 'installs > 10 and version < 5', sort: 'installs' }
  await saveView(ctx, { name: 'Common', view: { where: 'os:windows' } })
  await saveView(ctx, { subject: 'software', name: 'Common', view })
  expect(await listViews(ctx, 'software')).toMatchObject([{ subject: 'software', view }])
  expect(await listViews(ctx, 'asset')).toMatchObject([{ view: { where: 'os:windows' } }])
  expect(await listViews(ctx)).toHaveLength(2)
  expect(await ctx.conditions.stored(ctx)).toMatchObject([
    { kind: 'view' },
    { kind: 'view', text: view.where },
  ])
  await expect(saveView(ctx, { name: 'x', view })).rejects.toThrow('view.where')
  await expect(saveView(ctx, { subject: 'cow', name: 'x', view: {} })).rejects.toThrow('subject')
  const reader = { ...ctx, actor: { ...ctx.actor, may: (it: string) => it === 'assets:read' } }
  await expect(listViews(reader, 'finding')).rejects.toThrow('permission required: vulnerabilities:read')
})

test('at most fifty views are shared, and one of them can be saved again', async () => {
  const ctx = await shared().newTenant()
  const ann = await person(ctx)
  for (let n = 0; n < 50; n += 1) await saveView(ann, { name: `v${n}`, view: {}, isShared: true })
  await saveView(ann, { name: 'v7', view: { sort: 'os' }, isShared: true })
  const more = saveView(ann, { name: 'more', view: {}, isShared: true })
  await expect(more).rejects.toMatchObject({ extras: { field: 'isShared' } })
})

test('who may read reports alone keeps views of them, and sees and deletes none of other lists', async () => {
  const ctx = await shared().newTenant()
  const [ann, rob] = [await person(ctx), await person(ctx, ['reports:read'])]
  const { id } = await saveView(ann, { name: 'Depot', view: {}, isShared: true })
  const own = await saveView(rob, { subject: 'report', name: 'Monthly', view: {} })
  expect((await listViews(rob)).map(({ name }) => name)).toEqual(['Monthly'])
  const mayDelete = ['settings:write', 'reports:read']
  const administrator = { ...rob, actor: { ...rob.actor, may: (it: string) => mayDelete.includes(it) } }
  await expect(deleteView(administrator, id)).rejects.toMatchObject({ status: 404 })
  await deleteView(rob, own.id)
  expect(await listViews(rob)).toEqual([])
  const nobody = await person(ctx, [])
  await expect(listViews(nobody)).rejects.toMatchObject({ status: 403 })
  await expect(deleteView(nobody, id)).rejects.toMatchObject({ status: 403 })
})
