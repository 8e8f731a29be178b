import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import type { Approval, ApprovalFilter, ApprovalState } from './approval.ts'

const state = sql`case when p.state <> 'open' then p.state when r.finished_at is not null then 'cancelled'
  when p.expires_at <= now() then 'expired' else 'open' end`
const columns = sql`p.id, p.run_id as "runId", r.flow_id as "flowId", f.name as "flowName", r.asset_id as "assetId",
  coalesce(a.name, '') as "assetName", r.cause,
  case when r.cause = 'manual' then r.context -> 'event' ->> 'started_by' end as "startedByName", p.question, ${state} as state,
  p.created_at as "createdAt", p.expires_at as "expiresAt", p.decided_at as "decidedAt",
  p.decided_by_name as "decidedByName", p.note`

const tables = (ctx: Ctx) => sql`flow_approvals p
  join flow_runs r on r.tenant_id = ${ctx.tenantId} and r.id = p.run_id
  join flows f on f.tenant_id = ${ctx.tenantId} and f.id = r.flow_id
  left join assets a on a.tenant_id = ${ctx.tenantId} and a.id = r.asset_id`

/** Newest first. */
export async function list(
  ctx: Ctx,
  { limit, offset }: Page,
  { isOpen = false, flowId, runId }: ApprovalFilter,
): Promise<Listed<Approval>> {
  const wanted = sql`p.tenant_id = ${ctx.tenantId} and (not ${isOpen}::boolean or (p.state = 'open'
    and p.expires_at > ${ctx.now()} and r.status in ('pending', 'running', 'waiting')))
    and (${flowId ?? null}::uuid is null or r.flow_id = ${flowId ?? null})
    and (${runId ?? null}::uuid is null or p.run_id = ${runId ?? null})`
  const { total } = await ctx.db.one(sql<{ total: number }>`
    select count(*) as total from flow_approvals p
    join flow_runs r on r.tenant_id = ${ctx.tenantId} and r.id = p.run_id where ${wanted}`)
  const items = await ctx.db.all(sql<Approval>`
    select ${columns} from ${tables(ctx)} where ${wanted}
    order by p.created_at desc, p.id desc limit ${limit} offset ${offset}`)
  return { items, total }
}

export function find(ctx: Ctx, id: string): Promise<Approval | undefined> {
  return ctx.db.maybe(sql<Approval>`
    select ${columns} from ${tables(ctx)} where p.tenant_id = ${ctx.tenantId} and p.id = ${id}`)
}

/** Locked until the end of the transaction, so that it is answered once, and a run does not fall asleep meanwhile. */
export function lock(
  ctx: Ctx,
  id: string,
): Promise<
  | {
      readonly runId: string
      readonly state: ApprovalState
      readonly expiresAt: string
      /** Its end is written down: a request that has expired stays open until its run notices. */
      readonly isDecided: boolean
    }
  | undefined
> {
  return ctx.db.maybe(sql`
    select p.run_id as "runId", ${state} as state, p.expires_at as "expiresAt", p.state <> 'open' as "isDecided"
    from flow_approvals p join flow_runs r on r.tenant_id = ${ctx.tenantId} and r.id = p.run_id
    where p.tenant_id = ${ctx.tenantId} and p.id = ${id} for update of p`)
}

export interface NewApproval {
  readonly id: string
  readonly runId: string
  readonly question: string
  readonly expiresAt: Date
  readonly tokenHash: Buffer
  readonly tokenSealed: Buffer
}

export async function add(ctx: Ctx, approval: NewApproval): Promise<void> {
  const { id, runId, question, expiresAt, tokenHash, tokenSealed } = approval
  await ctx.db.run(sql`
    insert into flow_approvals (tenant_id, id, run_id, question, state, expires_at, created_at, token_sealed)
    values (${ctx.tenantId}, ${id}, ${runId}, ${question}, 'open', ${expiresAt}, ${ctx.now()}, ${tokenSealed})`)
  await ctx.db.run(sql`
    insert into flow_tokens (token_hash, tenant_id, approval_id, is_live, created_at)
    values (${tokenHash}, ${ctx.tenantId}, ${id}, true, ${ctx.now()})`)
}

export interface Decided {
  readonly state: ApprovalState
  readonly byName: string | null
  readonly note: string
}

/** Its token is good for nothing afterwards. */
export async function decide(ctx: Ctx, id: string, { state, byName, note }: Decided): Promise<void> {
  await ctx.db.run(sql`
    update flow_approvals set state = ${state}, decided_at = ${ctx.now()}, decided_by_name = ${byName}, note = ${note},
      token_sealed = null
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
  await ctx.db.run(sql`delete from flow_tokens where tenant_id = ${ctx.tenantId} and approval_id = ${id}`)
}

/** The sealed tokens of a run's open requests, by id. */
export async function tokensOfRun(ctx: Ctx, runId: string): Promise<ReadonlyMap<string, Buffer>> {
  const rows = await ctx.db.all(sql<{ id: string; sealed: Buffer }>`
    select id, token_sealed as sealed from flow_approvals
    where tenant_id = ${ctx.tenantId} and run_id = ${runId} and token_sealed is not null`)
  return new Map(rows.map(({ id, sealed }) => [id, sealed]))
}

/** The approval that a token answers, of whatever tenant. */
export function byToken(
  system: Ctx,
  tokenHash: Buffer,
): Promise<{ readonly tenantId: string; readonly id: string } | undefined> {
  return system.db.maybe(sql`
    select tenant_id as "tenantId", approval_id as id from flow_tokens
    where token_hash = ${tokenHash} and approval_id is not null`)
}

/** A waiting run goes on at once; false when it is not waiting. */
export async function wake(ctx: Ctx, runId: string): Promise<boolean> {
  const changed = await ctx.db.run(sql`
    update flow_runs set wake_at = null
    where tenant_id = ${ctx.tenantId} and id = ${runId} and status = 'waiting'`)
  return changed === 1
}
