import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { getAsset } from '#features/assets/assets.ts'
import { defineCustomField, deleteCustomField } from '#features/assets/editing/custom-fields.ts'
import { setUserRole } from '#features/tenancy/members/members.ts'
import { createRole } from '#features/tenancy/roles/roles.ts'
import { createUser } from '#features/tenancy/tenancy.ts'
import type { Ctx } from '#platform/context.ts'
import { sharedTestApp } from '#test/support/app/test-app.ts'
import { getBackTest, startBackTest } from './back-test/back-tests.ts'
import { addTag, liveFlow, newAsset, onNewAsset, runsOf, startWorker, untilIdle } from './flows.fixture.ts'
import { resumeLostRuns } from './running/resume-runs.ts'

const home = sharedTestApp()
const password = 'a long pass phrase 4711'

describe('a condition whose field was deleted', () => {
  test('skips or fails the runs of its flow with the reason, and no others', async () => {
    const ctx = await home().newTenant()
    startWorker(home())
    const { id } = await defineCustomField(ctx, { name: 'stage', kind: 'text' })
    const condition = 'asset.custom.stage = x'
    const steps = [addTag('good')]
    const asked = await liveFlow(ctx, { trigger: onNewAsset, condition, steps }, 'asked')
    const branching = [{ action: 'if', condition, steps: [addTag('x')] }]
    const branch = await liveFlow(ctx, { trigger: onNewAsset, steps: branching }, 'branch')
    const good = await liveFlow(ctx, { trigger: onNewAsset, steps }, 'good')
    await deleteCustomField(ctx, id)
    const asset = await newAsset(ctx, 'a')
    await untilIdle(ctx)
    expect((await getAsset(ctx, asset)).tags).toEqual(['good'])
    expect(await runsOf(ctx, good)).toMatchObject([{ status: 'succeeded' }])
    expect(await runsOf(ctx, asked)).toMatchObject([
      { status: 'skipped', reason: expect.stringMatching(/^condition: .*stage/) },
    ])
    expect(await runsOf(ctx, branch)).toMatchObject([
      { status: 'failed', reason: expect.stringMatching(/^steps\[0\]\.condition: .*stage/) },
    ])
    const tried = await startBackTest(ctx, { flowId: asked.id })
    await untilIdle(ctx)
    expect(await getBackTest(ctx, tried.id)).toMatchObject({ status: 'failed' })
  })
})

/** The flows act as a person who may write them, and has no other permissions than these. */
async function actAsFlowWriter(
  ctx: Ctx,
  flowIds: readonly string[],
  permissions: readonly string[] = [],
): Promise<void> {
  const role = await createRole(ctx, {
    name: 'writes flows',
    permissions: ['flows:read', 'flows:write', ...permissions],
  })
  const system = { ...home().runtime.system, tenantId: ctx.tenantId }
  const { id } = await createUser(system, { email: `${ctx.tenantId}@example.org`, password, isAdmin: false })
  await setUserRole(ctx, id, role.id)
  await ctx.db.run(sql`
    update flow_versions set run_as = ${id} where tenant_id = ${ctx.tenantId} and flow_id = any(${[...flowIds]}::uuid[])`)
}

describe('runs of one job', () => {
  test('end when the person may not read the asset any more; those of others go on', async () => {
    const ctx = await home().newTenant()
    startWorker(home())
    const refused = await liveFlow(ctx, { trigger: onNewAsset, steps: [addTag('never')] }, 'refused')
    const branching = [{ action: 'if', condition: 'asset.name = a', steps: [addTag('never')] }]
    const branch = await liveFlow(ctx, { trigger: onNewAsset, steps: branching }, 'branch')
    const broken = await liveFlow(ctx, { trigger: onNewAsset, steps: [addTag('never')] }, 'broken')
    const good = await liveFlow(ctx, { trigger: onNewAsset, steps: [addTag('good')] }, 'good')
    await actAsFlowWriter(ctx, [refused.id, branch.id])
    await ctx.db.run(sql`
      update flow_versions set definition = jsonb_set(definition, '{steps}', '[{"action": "if"}]')
      where tenant_id = ${ctx.tenantId} and flow_id = ${broken.id}`)
    const asset = await newAsset(ctx, 'a')
    await untilIdle(ctx)
    expect((await getAsset(ctx, asset)).tags).toEqual(['good'])
    expect(await runsOf(ctx, good)).toMatchObject([{ status: 'succeeded' }])
    const denied = { status: 'failed', reason: expect.stringMatching(/^steps\[0\].*assets:read/) }
    expect(await runsOf(ctx, refused)).toMatchObject([denied])
    expect(await runsOf(ctx, branch)).toMatchObject([denied])
  })

  test('ask in their branches about what the person may read, and about nothing else', async () => {
    const ctx = await home().newTenant()
    startWorker(home())
    const branch = (condition: string, tag: string) => ({
      trigger: onNewAsset,
      steps: [{ action: 'if', condition, steps: [addTag(tag)] }],
    })
    const weight = await liveFlow(ctx, branch('asset.criticality = normal', 'never'), 'weight')
    const name = await liveFlow(ctx, branch('asset.name = a', 'good'), 'name')
    await actAsFlowWriter(ctx, [weight.id, name.id], ['assets:read', 'assets:write'])
    const asset = await newAsset(ctx, 'a')
    await untilIdle(ctx)
    expect((await getAsset(ctx, asset)).tags).toEqual(['good'])
    expect(await runsOf(ctx, weight)).toMatchObject([
      { status: 'failed', reason: expect.stringMatching(/^steps\[0\]\.condition: .*criticality/) },
    ])
    expect(await runsOf(ctx, name)).toMatchObject([{ status: 'succeeded' }])
  })
})

test('runs whose jobs are gone get one again, before and after they are admitted', async () => {
  const ctx = await home().newTenant()
  const flow = await liveFlow(ctx, { trigger: onNewAsset, steps: [addTag('x')] })
  const loseJobs = async () => {
    await ctx.db.run(sql`
      update flow_runs set created_at = now() - interval '1 hour', started_at = null where tenant_id = ${ctx.tenantId}`)
    await ctx.db.run(sql`delete from jobs where tenant_id = ${ctx.tenantId} and name like 'flows.%'`)
  }
  await newAsset(ctx, 'a')
  await loseJobs()
  await ctx.db.run(sql`
    insert into jobs (tenant_id, name, attempts, attempts_max, payload, failed_at)
    values (${ctx.tenantId}, 'flows.admitRuns', 5, 5, '{}', now())`)
  const worker = startWorker(home())
  await resumeLostRuns(home().runtime.system)
  await untilIdle(ctx)
  await worker.stop()
  expect(await runsOf(ctx, flow)).toMatchObject([{ status: 'succeeded' }])
  await ctx.db.run(sql`
    update flow_runs set status = 'pending', finished_at = null, cursor = 0 where tenant_id = ${ctx.tenantId}`)
  await loseJobs()
  startWorker(home())
  await resumeLostRuns(home().runtime.system)
  await resumeLostRuns(home().runtime.system)
  await untilIdle(ctx)
  expect(await runsOf(ctx, flow)).toMatchObject([{ status: 'succeeded' }])
})
