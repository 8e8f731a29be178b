import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { allowanceOf, counting, type Allowance } from '#platform/http/rate-limit.ts'
import type { Trigger } from '../flow.ts'

export interface Hook {
  readonly createdAt: string
  /** Whether requests must be signed. */
  readonly isSigned: boolean
}

export function find(ctx: Ctx, flowId: string): Promise<Hook | undefined> {
  return ctx.db.maybe(sql<Hook>`
    select created_at as "createdAt", is_signed as "isSigned" from flow_tokens
    where tenant_id = ${ctx.tenantId} and flow_id = ${flowId}`)
}

export interface NewHook {
  readonly flowId: string
  readonly tokenHash: Buffer
  readonly secretSealed: Buffer | null
  /** Whether the flow is on. */
  readonly isLive: boolean
  /** Whether requests must be signed. */
  readonly isSigned: boolean
}

/** In place of the one before, whose address is good for nothing from now on. */
export async function replace(ctx: Ctx, hook: NewHook): Promise<void> {
  await remove(ctx, hook.flowId)
  await ctx.db.run(sql`
    insert into flow_tokens (token_hash, tenant_id, flow_id, is_live, is_signed, secret_sealed, created_at)
    values (${hook.tokenHash}, ${ctx.tenantId}, ${hook.flowId}, ${hook.isLive}, ${hook.isSigned}, ${hook.secretSealed},
      ${ctx.now()})`)
}

export async function remove(ctx: Ctx, flowId: string): Promise<void> {
  await ctx.db.run(sql`delete from flow_tokens where tenant_id = ${ctx.tenantId} and flow_id = ${flowId}`)
}

/** One without a key takes no requests for a flow that asks for signatures. `trigger` is that of the published version. */
export async function setLive(ctx: Ctx, flowId: string, trigger: Trigger | undefined): Promise<void> {
  const isLive = trigger?.kind === 'webhook'
  const needsKey = isLive && trigger.signature !== 'none'
  await ctx.db.run(sql`
    update flow_tokens set is_live = ${isLive}::boolean and (secret_sealed is not null or not ${needsKey}::boolean),
      is_signed = case when ${isLive}::boolean then ${needsKey}::boolean else is_signed end
    where tenant_id = ${ctx.tenantId} and flow_id = ${flowId}`)
}

export interface HookHolder {
  readonly tenantId: string
  readonly flowId: string
  readonly isLive: boolean
  readonly isSigned: boolean
  readonly secretSealed: Buffer | null
}

/** Of whatever tenant, whether it is live or not. */
export function byToken(system: Ctx, tokenHash: Buffer): Promise<HookHolder | undefined> {
  return system.db.maybe(sql<HookHolder>`
    select tenant_id as "tenantId", flow_id as "flowId", is_live as "isLive", is_signed as "isSigned",
      secret_sealed as "secretSealed"
    from flow_tokens where token_hash = ${tokenHash} and flow_id is not null`)
}

/** Counts a request in the window that all nodes share. */
export async function count(system: Ctx, bucket: Buffer, limit: number): Promise<Allowance> {
  return allowanceOf(limit, await system.db.one(counting(bucket)))
}

export interface PublishedFlow {
  readonly version: number
  readonly trigger: Trigger
}

export function published(ctx: Ctx, flowId: string): Promise<PublishedFlow | undefined> {
  return ctx.db.maybe(sql<PublishedFlow>`
    select v.n as version, v.definition -> 'trigger' as trigger from flows f
    join flow_versions v on v.tenant_id = ${ctx.tenantId} and v.flow_id = f.id and v.n = f.published_version
    where f.tenant_id = ${ctx.tenantId} and f.id = ${flowId} and f.enabled`)
}

/** The run that the same delivery started within a day; the key of an older one is set free. */
export async function runOfDelivery(
  ctx: Ctx,
  flowId: string,
  dedupeKey: string,
): Promise<string | undefined> {
  const dayAgo = new Date(ctx.now().getTime() - 24 * 3_600_000)
  await ctx.db.run(sql`
    update flow_runs set dedupe_key = dedupe_key || ':' || id
    where tenant_id = ${ctx.tenantId} and flow_id = ${flowId} and dedupe_key = ${dedupeKey} and created_at <= ${dayAgo}`)
  const found = await ctx.db.maybe(sql<{ id: string }>`
    select id from flow_runs
    where tenant_id = ${ctx.tenantId} and flow_id = ${flowId} and dedupe_key = ${dedupeKey}`)
  return found?.id
}
