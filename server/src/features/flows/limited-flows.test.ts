import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { addTag, liveFlow, onNewAsset } from './flows.fixture.ts'
import { getFlow } from './flows.ts'

const app = sharedTestApp()

test('when a flow ran last is not told to who is limited to some assets', async () => {
  const ctx = await app().newTenant()
  const { id } = await liveFlow(ctx, { trigger: onNewAsset, steps: [addTag('x')] })
  await ctx.db.run(sql`
    update flows set last_triggered_at = ${ctx.now()} where tenant_id = ${ctx.tenantId} and id = ${id}`)
  expect((await getFlow(ctx, id)).lastTriggeredAt).not.toBeNull()
  const limited = ctx.conditions.limit(ctx, 'name = near')
  expect(await getFlow(limited, id)).toMatchObject({ id, lastTriggeredAt: null })
})
