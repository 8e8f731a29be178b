import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { listViews, saveView } from './saved-views.ts'

const shared = sharedTestApp()

test('the condition of a view is stored as text beside the view, and comes back in the view', async () => {
  const ctx = await shared().newTenant()
  const view = { where: 'os:windows and seen < -30d', sort: 'name' }
  expect((await saveView(ctx, { name: 'Old Windows', view })).view).toEqual(view)
  expect((await saveView(ctx, { name: 'All', view: { sort: 'name' } })).view).toEqual({ sort: 'name' })
  expect((await listViews(ctx)).map((it) => it.view)).toEqual([{ sort: 'name' }, view])
  expect(
    await ctx.db.all(sql`
      select condition, view from asset_views where tenant_id = ${ctx.tenantId}
      order by name desc`),
  ).toEqual([
    { condition: view.where, view: { sort: 'name' } },
    { condition: null, view: { sort: 'name' } },
  ])
  await expect(saveView(ctx, { name: 'x', view: { where: 'os:' } })).rejects.toThrow('view.where')
})
