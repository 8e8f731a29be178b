import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

/** A key of our own agent, with what the check of a request needs. */
export interface AgentKey {
  readonly tenantId: string
  readonly agentId: string
  readonly keyId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly mustChange: boolean
  readonly isRetired: boolean
  readonly isRevoked: boolean
  /** The version that agents are updated to now, and how many of a hundred. Only of a key that was asked for in any tenant. */
  readonly release?: { readonly version: string; readonly rollout: number } | null
}

const columns = sql`tenant_id as "tenantId", agent_id as "agentId", key_id as "keyId", public_key as "publicKey",
  counter, must_change as "mustChange", retired_at is not null as "isRetired", revoked_at is not null as "isRevoked"`

/** In any tenant: requests tell nothing but their key. Those that nobody has are absent. */
export const keysOf = (system: Ctx, keyIds: readonly Buffer[]): Promise<AgentKey[]> =>
  system.db.all(sql<AgentKey>`
    select ${columns}, (select jsonb_build_object('version', version, 'rollout', rollout) from agent_releases
      where rollout > 0) as release
    from agent_keys where key_id = any(${[...keyIds]}::bytea[])`)

/** Of this tenant. */
export const ownKey = (ctx: Ctx, keyId: Buffer): Promise<AgentKey | undefined> =>
  ctx.db.maybe(sql<AgentKey>`
    select ${columns} from agent_keys where tenant_id = ${ctx.tenantId} and key_id = ${keyId}`)

export async function addKey(
  ctx: Ctx,
  { agentId, keyId, publicKey, counter }: Pick<AgentKey, 'agentId' | 'keyId' | 'publicKey' | 'counter'>,
): Promise<boolean> {
  const added = await ctx.db.run(sql`
    insert into agent_keys (tenant_id, key_id, agent_id, public_key, counter, created_at)
    values (${ctx.tenantId}, ${keyId}, ${agentId}, ${publicKey}, ${counter}, ${ctx.now()})
    on conflict do nothing`)
  return added === 1
}

/** False when a request with this counter or a greater one was taken before. */
export async function takeCounter(ctx: Ctx, keyId: Buffer, counter: number): Promise<boolean> {
  const taken = await ctx.db.run(sql`
    update agent_keys set counter = ${counter}
    where tenant_id = ${ctx.tenantId} and key_id = ${keyId} and counter < ${counter}`)
  return taken === 1
}

/** Whether that is new. */
export async function demandChange(ctx: Ctx, keyId: Buffer): Promise<boolean> {
  const changed = await ctx.db.run(sql`
    update agent_keys set must_change = true
    where tenant_id = ${ctx.tenantId} and key_id = ${keyId} and not must_change`)
  return changed === 1
}

/** Of the key that the agent uses now. Whether that is new. */
export async function demandChangeOf(ctx: Ctx, agentId: string): Promise<boolean> {
  const changed = await ctx.db.run(sql`
    update agent_keys set must_change = true
    where tenant_id = ${ctx.tenantId} and agent_id = ${agentId} and retired_at is null and not must_change`)
  return changed > 0
}

/** Retired ones too: the other host that held one may not go on either. */
export async function revokeKeysOf(ctx: Ctx, agentId: string): Promise<void> {
  await ctx.db.run(sql`
    update agent_keys set revoked_at = ${ctx.now()}
    where tenant_id = ${ctx.tenantId} and agent_id = ${agentId} and revoked_at is null`)
}

/** Keys in use by what becomes of them, over all tenants. */
export async function countKeys(system: Ctx): Promise<Record<string, number>> {
  const rows = await system.db.all(sql<{ state: string; keys: number }>`
    select case when revoked_at is not null then 'revoked' when must_change then 'must_change' else 'valid' end as state,
      count(*) as keys
    from agent_keys where retired_at is null group by 1`)
  return Object.fromEntries(rows.map(({ state, keys }) => [state, keys]))
}

export async function retireKey(ctx: Ctx, keyId: Buffer): Promise<void> {
  await ctx.db.run(sql`
    update agent_keys set retired_at = coalesce(retired_at, ${ctx.now()})
    where tenant_id = ${ctx.tenantId} and key_id = ${keyId}`)
}
