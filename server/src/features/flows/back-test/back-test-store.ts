import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Definition } from '../flow.ts'
import type { BackTest, BackTestResult } from './back-test.ts'

const columns = sql`id, flow_id as "flowId", days, status, total, done, result, message, created_at as "createdAt",
  finished_at as "finishedAt"`

export interface NewBackTest {
  readonly id: string
  readonly flowId: string | null
  readonly definition: Definition
  readonly days: number
}

export function add(ctx: Ctx, { id, flowId, definition, days }: NewBackTest): Promise<BackTest> {
  return ctx.db.one(sql<BackTest>`
    insert into flow_back_tests (tenant_id, id, flow_id, definition, days, status, created_at)
    values (${ctx.tenantId}, ${id}, ${flowId}, ${JSON.stringify(definition)}::jsonb, ${days}, 'running', ${ctx.now()})
    returning ${columns}`)
}

export function find(ctx: Ctx, id: string): Promise<BackTest | undefined> {
  return ctx.db.maybe(sql<BackTest>`
    select ${columns} from flow_back_tests where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** The newest of a flow. */
export function latest(ctx: Ctx, flowId: string): Promise<BackTest | undefined> {
  return ctx.db.maybe(sql<BackTest>`
    select ${columns} from flow_back_tests where tenant_id = ${ctx.tenantId} and flow_id = ${flowId}
    order by created_at desc, id desc limit 1`)
}

export function work(ctx: Ctx, id: string): Promise<NewBackTest | undefined> {
  return ctx.db.maybe(sql<NewBackTest>`
    select id, flow_id as "flowId", definition, days from flow_back_tests
    where tenant_id = ${ctx.tenantId} and id = ${id} and status = 'running'`)
}

export async function progress(ctx: Ctx, id: string, done: number, total: number): Promise<void> {
  await ctx.db.run(sql`
    update flow_back_tests set done = ${done}, total = ${total}
    where tenant_id = ${ctx.tenantId} and id = ${id} and status = 'running'`)
}

export interface End {
  readonly status: 'completed' | 'failed'
  readonly result?: BackTestResult
  readonly message?: string
}

export async function finish(ctx: Ctx, id: string, { status, result, message = '' }: End): Promise<void> {
  await ctx.db.run(sql`
    update flow_back_tests set status = ${status}, finished_at = ${ctx.now()}, message = ${message},
      result = ${result ? JSON.stringify(result) : null}::jsonb
    where tenant_id = ${ctx.tenantId} and id = ${id} and status = 'running'`)
}

/** Those that were asked for before. */
export async function removeOld(ctx: Ctx, before: Date): Promise<void> {
  await ctx.db.run(
    sql`delete from flow_back_tests where tenant_id = ${ctx.tenantId} and created_at < ${before}`,
  )
}
