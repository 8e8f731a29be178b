import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Agent, AgentKind } from './agent.ts'
import type { QueryFailures } from './osquery/failing-queries.ts'

/** What is stored of an agent for its next report. */
export interface StoredAgent {
  readonly id: string
  readonly deviceId: string
  readonly sourceKey: string
  readonly serial: string | null
  readonly smbiosUuid: string | null
  /** Rows of the categories of earlier reports. */
  readonly content: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>
  readonly softwareOrigins: readonly string[]
  readonly enrolledAt: string | null
}

const stored = sql`id, device_id as "deviceId", source_key as "sourceKey", serial, smbios_uuid as "smbiosUuid", content,
  software_origins as "softwareOrigins", enrolled_at as "enrolledAt"`

/** Hosts that call themselves one of `deviceIds`, the first seen first, locked until the transaction ends. */
export function lockedOf(ctx: Ctx, kind: AgentKind, deviceIds: readonly string[]): Promise<StoredAgent[]> {
  return ctx.db.all(sql<StoredAgent>`
    select ${stored} from agents
    where tenant_id = ${ctx.tenantId} and kind = ${kind} and device_id = any(${[...deviceIds]}::text[])
    order by first_seen_at, id for update`)
}

export interface NewAgent {
  readonly id: string
  readonly kind: AgentKind
  readonly deviceId: string
  readonly sourceKey: string
  readonly tokenId: string
  readonly at: Date
}

/** False when another request added it first. */
export async function add(ctx: Ctx, row: NewAgent): Promise<boolean> {
  const added = await ctx.db.run(sql`
    insert into agents (tenant_id, id, kind, device_id, source_key, token_id, first_seen_at, last_contact_at)
    values (${ctx.tenantId}, ${row.id}, ${row.kind}, ${row.deviceId}, ${row.sourceKey}, ${row.tokenId}, ${row.at}, ${row.at})
    on conflict (tenant_id, kind, source_key) do nothing`)
  return added === 1
}

export interface Contact {
  readonly tokenId: string
  readonly address: string
  readonly version: string
  readonly at: Date
}

export async function noteContact(
  ctx: Ctx,
  ids: readonly string[],
  { tokenId, address, version, at }: Contact,
): Promise<void> {
  await ctx.db.run(sql`
    update agents set token_id = ${tokenId}, address = ${address}, last_contact_at = ${at},
      version = case when ${version}::text = '' then version else ${version}::text end
    where tenant_id = ${ctx.tenantId} and id = any(${[...ids]}::uuid[])`)
}

export interface Report {
  readonly deviceId: string
  readonly name: string
  readonly serial: string | null
  readonly smbiosUuid: string | null
  readonly content: StoredAgent['content']
  readonly softwareOrigins: readonly string[]
  readonly at: Date
}

export async function noteReport(ctx: Ctx, id: string, report: Report): Promise<void> {
  await ctx.db.run(sql`
    update agents set device_id = ${report.deviceId}, name = ${report.name}, serial = ${report.serial},
      smbios_uuid = ${report.smbiosUuid}, content = ${JSON.stringify(report.content)}::jsonb,
      software_origins = ${[...report.softwareOrigins]}::text[], last_report_at = ${report.at}, problem = ''
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export async function noteProblem(ctx: Ctx, id: string, problem: string): Promise<void> {
  await ctx.db.run(sql`
    update agents set problem = ${problem} where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** A report of what stands beside the agents' hosts; a problem that begins with `fault` is over. */
export async function noteDevices(
  ctx: Ctx,
  ids: readonly string[],
  { at, fault }: { readonly at: Date; readonly fault: string },
): Promise<void> {
  await ctx.db.run(sql`
    update agents set last_report_at = ${at},
      problem = case when starts_with(problem, ${fault}) then '' else problem end
    where tenant_id = ${ctx.tenantId} and id = any(${[...ids]}::uuid[])`)
}

export type ListedAgent = Omit<Agent, 'tokenName' | 'tokenEndedAt' | 'assetId'>

/** A host that has a key of its own. */
export interface EnrolledHost {
  readonly id: string
  readonly deviceId: string
  readonly lastReportAt: string | null
  readonly queryFailures: QueryFailures
}

export interface NodeKey {
  readonly nodeKeyHash: Buffer
  readonly hardware: Pick<StoredAgent, 'serial' | 'smbiosUuid'>
  readonly at: Date
}

/** Hardware that is not told stays as it was. */
export async function setNodeKey(
  ctx: Ctx,
  id: string,
  { nodeKeyHash, hardware, at }: NodeKey,
): Promise<void> {
  await ctx.db.run(sql`
    update agents set node_key_hash = ${nodeKeyHash}, enrolled_at = ${at},
      serial = coalesce(${hardware.serial}::text, serial), smbios_uuid = coalesce(${hardware.smbiosUuid}::text, smbios_uuid)
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export function byNodeKey(ctx: Ctx, nodeKeyHash: Buffer): Promise<EnrolledHost | undefined> {
  return ctx.db.maybe(sql<EnrolledHost>`
    select id, device_id as "deviceId", last_report_at as "lastReportAt", query_failures as "queryFailures"
    from agents
    where tenant_id = ${ctx.tenantId} and node_key_hash = ${nodeKeyHash}`)
}

export async function noteQueryFailures(ctx: Ctx, id: string, failures: QueryFailures): Promise<void> {
  await ctx.db.run(sql`
    update agents set query_failures = ${JSON.stringify(failures)}::jsonb
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

const listed = sql`id, kind, device_id as "deviceId", source_key as "sourceKey", name, version, address,
  token_id as "tokenId", first_seen_at as "firstSeenAt", last_contact_at as "lastContactAt",
  last_report_at as "lastReportAt", problem, revoked_at as "revokedAt", is_pending as "isPending"`

export const agentsById = (ctx: Ctx, ids: readonly string[]): Promise<ListedAgent[]> =>
  ctx.db.all(sql<ListedAgent>`
    select ${listed} from agents where tenant_id = ${ctx.tenantId} and id = any(${[...ids]}::uuid[])`)

/** Of subjects of conditions. */
export const ofToken = (tokenId: string): RawBuilder<unknown> => sql`ag.token_id = ${tokenId}`

/** Locked until the transaction ends. */
export const lockedAgent = (ctx: Ctx, id: string): Promise<ListedAgent | undefined> =>
  ctx.db.maybe(sql<ListedAgent>`
    select ${listed} from agents where tenant_id = ${ctx.tenantId} and id = ${id} for update`)

export async function approve(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`
    update agents set is_pending = false where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export async function revoke(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`
    update agents set revoked_at = ${ctx.now()} where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export interface SharedId {
  readonly kind: AgentKind
  readonly deviceId: string
  /** Of the hosts, by name, at least two. */
  readonly names: readonly string[]
}

/** Hosts that reported since `liveFrom`; a further host of an id is known by its key, which `hostOf` makes. */
export function sharedIds(ctx: Ctx, kind: AgentKind, liveFrom: Date): Promise<SharedId[]> {
  return ctx.db.all(sql<SharedId>`
    select kind, device_id as "deviceId", array_agg(name order by name, id) as names
    from agents
    where tenant_id = ${ctx.tenantId} and kind = ${kind} and last_report_at >= ${liveFrom} and revoked_at is null
      and device_id = any(array(
        select device_id from agents
        where tenant_id = ${ctx.tenantId} and kind = ${kind} and starts_with(source_key, device_id || '#')))
    group by kind, device_id having count(*) > 1
    order by device_id`)
}
