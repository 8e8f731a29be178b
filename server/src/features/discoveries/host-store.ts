import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import type { DiscoveryHost, HostChange, HostOutcome, Login, Seen } from './discovery.ts'

const columns = sql`host(h.address) as address, h.name, h.state, h.outcome, h.why, h.hints, h.logins, h.seen,
  h.source_key as "sourceKey", h.asset_id as "assetId", h.change, h.changed_fields as "changedFields",
  h.found_at as "foundAt", h.done_at as "doneAt"`

export type NewHost = Pick<DiscoveryHost, 'address' | 'name' | 'hints' | 'seen' | 'sourceKey'>

/** A host that is there already stays as it is. */
export async function addHosts(ctx: Ctx, runId: string, hosts: readonly NewHost[]): Promise<void> {
  if (hosts.length === 0) return
  await ctx.db.run(sql`
    insert into discovery_hosts (tenant_id, run_id, address, name, state, hints, seen, source_key, found_at)
    select ${ctx.tenantId}::uuid, ${runId}::uuid, (it->>'address')::inet, it->>'name', 'found', it->'hints', it->'seen',
      it->>'sourceKey', ${ctx.now()}
    from jsonb_array_elements(${JSON.stringify(hosts)}::jsonb) it
    on conflict (tenant_id, run_id, address) do nothing`)
}

export async function addressesOf(ctx: Ctx, runId: string): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ address: string }>`
    select host(address) as address from discovery_hosts where tenant_id = ${ctx.tenantId} and run_id = ${runId}`)
  return rows.map(({ address }) => address)
}

/** Those that are not done, in the order of addresses; without those that are named. */
export function hostsToAsk(
  ctx: Ctx,
  runId: string,
  without: readonly string[],
  limit: number,
): Promise<DiscoveryHost[]> {
  return ctx.db.all(sql<DiscoveryHost>`
    select ${columns} from discovery_hosts h
    where h.tenant_id = ${ctx.tenantId} and h.run_id = ${runId} and h.state <> 'done'
      and h.address <> all(${without}::inet[])
    order by h.address limit ${limit}`)
}

/** Of scans that are under way. */
export async function openScanIds(ctx: Ctx, runId: string): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select login->>'scanId' as id from discovery_hosts h, jsonb_array_elements(h.logins) login
    where h.tenant_id = ${ctx.tenantId} and h.run_id = ${runId} and h.state = 'asking'
      and login ? 'scanId' and not login ? 'outcome'`)
  return rows.map(({ id }) => id)
}

/** What the logins at a host have come to so far; another attempt goes on from there. */
export async function noteLogins(
  ctx: Ctx,
  runId: string,
  address: string,
  { logins, seen, hints }: Pick<DiscoveryHost, 'logins' | 'seen' | 'hints'>,
): Promise<void> {
  await ctx.db.run(sql`
    update discovery_hosts set state = 'asking', logins = ${JSON.stringify(logins)}::jsonb,
      seen = ${JSON.stringify(seen)}::jsonb, hints = ${JSON.stringify(hints)}::jsonb
    where tenant_id = ${ctx.tenantId} and run_id = ${runId} and address = ${address}::inet and state <> 'done'`)
}

export interface HostEnd {
  readonly outcome: HostOutcome
  readonly why: string
  readonly logins: readonly Login[]
  readonly seen: Seen
  readonly name: string
  readonly assetId: string | null
}

export async function endHost(ctx: Ctx, runId: string, address: string, end: HostEnd): Promise<void> {
  await ctx.db.run(sql`
    update discovery_hosts set state = 'done', outcome = ${end.outcome}, why = ${end.why}, name = ${end.name},
      logins = ${JSON.stringify(end.logins)}::jsonb, seen = ${JSON.stringify(end.seen)}::jsonb,
      asset_id = ${end.assetId}, done_at = ${ctx.now()}
    where tenant_id = ${ctx.tenantId} and run_id = ${runId} and address = ${address}::inet and state <> 'done'`)
}

/** All of a run that it found itself, as they are compared: each with the asset that was its own when the run ended. */
export function foundHosts(
  ctx: Ctx,
  runId: string,
): Promise<Pick<DiscoveryHost, 'address' | 'assetId' | 'seen' | 'outcome'>[]> {
  return ctx.db.all(sql`
    select host(address) as address, asset_id as "assetId", seen, outcome from discovery_hosts
    where tenant_id = ${ctx.tenantId} and run_id = ${runId} and change is distinct from 'gone'
    order by address`)
}

export interface Change {
  readonly address: string
  readonly change: HostChange
  readonly changedFields: readonly string[]
}

export async function noteChanges(ctx: Ctx, runId: string, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return
  await ctx.db.run(sql`
    update discovery_hosts h set change = it.change,
      changed_fields = array(select jsonb_array_elements_text(it."changedFields"))
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as it (address inet, change text, "changedFields" jsonb)
    where h.tenant_id = ${ctx.tenantId} and h.run_id = ${runId} and h.address = it.address`)
}

/** Hosts of an earlier run that this one did not find. */
export async function addGone(
  ctx: Ctx,
  runId: string,
  before: string,
  addresses: readonly string[],
): Promise<void> {
  if (addresses.length === 0) return
  await ctx.db.run(sql`
    insert into discovery_hosts (tenant_id, run_id, address, name, state, outcome, why, hints, seen, source_key, asset_id,
      change, found_at, done_at)
    select ${ctx.tenantId}::uuid, ${runId}::uuid, h.address, h.name, 'done', null, '', h.hints, h.seen, h.source_key,
      h.asset_id, 'gone', h.found_at, h.done_at
    from discovery_hosts h
    where h.tenant_id = ${ctx.tenantId} and h.run_id = ${before} and h.address = any(${addresses}::inet[])
    on conflict (tenant_id, run_id, address) do nothing`)
}

export interface HostFilter {
  readonly outcome?: HostOutcome
  readonly change?: HostChange
}

/** In the order of addresses, each with the asset that was its own when the host was done. */
export async function hosts(
  ctx: Ctx,
  runId: string,
  { outcome, change }: HostFilter,
  { limit, offset }: Page,
): Promise<Listed<DiscoveryHost & { readonly assetName: string | null }>> {
  const where = sql`h.tenant_id = ${ctx.tenantId} and h.run_id = ${runId}
    and (${outcome ?? null}::text is null or h.outcome = ${outcome ?? null})
    and (${change ?? null}::text is null or h.change = ${change ?? null})`
  const items = await ctx.db.all(sql<DiscoveryHost & { readonly assetName: string | null }>`
    select ${columns}, a.name as "assetName" from discovery_hosts h
    left join assets a on a.tenant_id = ${ctx.tenantId} and a.id = h.asset_id
    where ${where} order by h.address limit ${limit} offset ${offset}`)
  const { total } = await ctx.db.one(sql<{ total: number }>`
    select count(*) as total from discovery_hosts h where ${where}`)
  return { items, total }
}
