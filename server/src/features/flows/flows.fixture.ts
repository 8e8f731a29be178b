import { sql } from 'kysely'
import { expect, onTestFinished, vi } from 'vitest'
import { submit } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { startQueue } from '#platform/jobs/queue.ts'
import type { TestApp } from '#test/support/app/test-app.ts'
import { createFlow, listRuns, publishFlow, setFlowEnabled } from './flows.ts'
import type { Flow } from './flow.ts'
import { jobs } from './jobs.ts'
import type { FlowRun } from './running/run.ts'

export const addTag = (tag: string) => ({ action: 'add_tags', with: { tags: [tag] } })
export const onNewAsset = { kind: 'event', eventTypes: ['NEW_ASSET'] }

/** Created, published and switched on. */
export async function liveFlow(ctx: Ctx, definition: object, name = 'flow'): Promise<Flow> {
  const { id } = await createFlow(ctx, { name, definition })
  await publishFlow(ctx, id)
  return setFlowEnabled(ctx, id, true)
}

/** One new asset of that name, by an import; answers its id. */
export async function newAsset(ctx: Ctx, name: string): Promise<string> {
  await submit(ctx, { kind: 'csv', name: 'list' }, [
    { sourceKey: name, seenAt: ctx.now(), identifiers: [{ type: 'hostname', value: name }] },
  ])
  const { id } = await ctx.db.one(sql<{ id: string }>`
    select id from assets where tenant_id = ${ctx.tenantId} and hostname = ${name}`)
  return id
}

/** Works on the jobs of flows until the test ends. */
export function startWorker({ runtime }: TestApp): { stop: () => Promise<void> } {
  const queue = startQueue(runtime, jobs)
  onTestFinished(queue.stop)
  return queue
}

/** Waits until no job of flows is due any more. */
export async function untilIdle(ctx: Ctx): Promise<void> {
  await vi.waitFor(
    async () => {
      const { n } = await ctx.db.one(sql<{ n: number }>`
        select count(*) as n from jobs
        where tenant_id = ${ctx.tenantId} and name like 'flows.%' and failed_at is null and run_at <= clock_timestamp()`)
      expect(n).toBe(0)
    },
    { timeout: 20_000, interval: 20 },
  )
}

export async function runsOf(ctx: Ctx, flow: Flow): Promise<readonly FlowRun[]> {
  return (await listRuns(ctx, { limit: 100, offset: 0 }, { flowId: flow.id })).items
}

/** What waits is due now. */
export async function passTime(ctx: Ctx): Promise<void> {
  await ctx.db.run(sql`
    update flow_runs set wake_at = now() where tenant_id = ${ctx.tenantId} and wake_at is not null`)
  await ctx.db.run(sql`
    update jobs set run_at = clock_timestamp() where tenant_id = ${ctx.tenantId} and name like 'flows.%'`)
}

/** Payloads of the tenant's events of a type, the oldest first. */
export async function eventsOf(ctx: Ctx, type: string): Promise<Record<string, unknown>[]> {
  const rows = await ctx.db.all(sql<{ body: Buffer }>`
    select body from events where tenant_id = ${ctx.tenantId} and type = ${type} order by created_at, id`)
  return rows.map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>)
}
