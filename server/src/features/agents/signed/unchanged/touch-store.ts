import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Texts } from '../signed-agent-store.ts'

/**
 * Reports of several agents of one tenant that tell nothing new; each statement is about all of them, and says which rows
 * they are in a list besides the join: with the join alone PostgreSQL reads every agent of the tenant wherever it takes
 * the table for a small one, as after a first night of enrolments.
 */

export interface Touch {
  readonly keyId: Buffer
  readonly agentId: string
  /** Of the request, which must be greater than in every one before. */
  readonly counter: number
  /** Of all sections of the host. */
  readonly hashes: Texts
  readonly fingerprint: Texts
  readonly version: string
  readonly address: string
  /** From what an observation of it would be made now (`madeFrom`). */
  readonly observedFrom: string
  readonly seenAt: Date
}

/** Until the transaction ends. Agents are locked before their keys everywhere, and here in the order of ids: no deadlocks. */
export async function lockAgents(ctx: Ctx, touches: readonly Touch[]): Promise<void> {
  await ctx.db.run(sql`
    select id from agents
    where tenant_id = ${ctx.tenantId} and id = any(${touches.map(({ agentId }) => agentId)}::uuid[])
    order by id for update`)
}

/** The keys, in hexadecimal digits, whose counter was taken; not those of a request that came before, or that were revoked. */
export async function takeCounters(ctx: Ctx, touches: readonly Touch[]): Promise<ReadonlySet<string>> {
  const keyIds = touches.map(({ keyId }) => keyId)
  const rows = await ctx.db.all(sql<{ keyId: string }>`
    update agent_keys k set counter = t.counter
    from unnest(${keyIds}::bytea[], ${touches.map(({ counter }) => counter)}::bigint[])
      as t (key_id, counter)
    where k.tenant_id = ${ctx.tenantId} and k.key_id = any(${keyIds}::bytea[]) and k.key_id = t.key_id and k.counter < t.counter and k.revoked_at is null
    returning encode(k.key_id, 'hex') as "keyId"`)
  return new Set(rows.map(({ keyId }) => keyId))
}

export interface TouchedAgent {
  readonly id: string
  readonly sourceKey: string
}

/** Those of which the report tells nothing new. */
export function noteUnchanged(ctx: Ctx, touches: readonly Touch[]): Promise<TouchedAgent[]> {
  const json = (value: Texts) => JSON.stringify(value)
  const ids = touches.map(({ agentId }) => agentId)
  return ctx.db.all(sql<TouchedAgent>`
    update agents a set address = t.address, last_contact_at = t.seen_at, last_report_at = t.seen_at
    from unnest(${ids}::uuid[], ${touches.map((it) => json(it.hashes))}::jsonb[],
      ${touches.map((it) => json(it.fingerprint))}::jsonb[], ${touches.map((it) => it.version)}::text[],
      ${touches.map((it) => it.address)}::text[], ${touches.map((it) => it.observedFrom)}::text[],
      ${touches.map((it) => it.seenAt)}::timestamptz[])
      as t (id, hashes, fingerprint, version, address, observed_from, seen_at)
    where a.tenant_id = ${ctx.tenantId} and a.id = any(${ids}::uuid[]) and a.id = t.id and a.section_hashes = t.hashes
      and a.fingerprint = t.fingerprint and a.version = t.version and a.observed_from = t.observed_from
      and a.problem = '' and not a.is_pending
    returning a.id, a.source_key as "sourceKey"`)
}
