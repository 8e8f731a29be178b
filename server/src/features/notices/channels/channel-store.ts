import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { NoticeChannel } from './channel.ts'

export type StoredChannel = NoticeChannel

const columns = sql`c.id, c.name, c.kind, c.destination, c.active, c.disabled_reason as "disabledReason",
  c.confirmed_at as "confirmedAt", c.failing_since as "failingSince", c.last_error as "lastError",
  c.last_sent_at as "lastSentAt", c.created_at as "createdAt"`

/** By name. */
export function all(ctx: Ctx): Promise<StoredChannel[]> {
  return ctx.db.all(sql<StoredChannel>`
    select ${columns} from notice_channels c where c.tenant_id = ${ctx.tenantId} order by lower(c.name), c.id`)
}

export function find(ctx: Ctx, id: string): Promise<StoredChannel | undefined> {
  return ctx.db.maybe(sql<StoredChannel>`
    select ${columns} from notice_channels c where c.tenant_id = ${ctx.tenantId} and c.id = ${id}`)
}

/** As `find`, locked until the end of the transaction. */
export function lock(ctx: Ctx, id: string): Promise<StoredChannel | undefined> {
  return ctx.db.maybe(sql<StoredChannel>`
    select ${columns} from notice_channels c where c.tenant_id = ${ctx.tenantId} and c.id = ${id} for update`)
}

export async function sealedSettings(ctx: Ctx, id: string): Promise<Buffer | undefined> {
  const found = await ctx.db.maybe(sql<{ sealed: Buffer }>`
    select settings_sealed as sealed from notice_channels where tenant_id = ${ctx.tenantId} and id = ${id}`)
  return found?.sealed
}

export interface NewStoredChannel extends Pick<NoticeChannel, 'id' | 'name' | 'kind' | 'destination'> {
  readonly sealed: Buffer
}

export async function add(ctx: Ctx, channel: NewStoredChannel): Promise<void> {
  await ctx.db.run(sql`
    insert into notice_channels (tenant_id, id, name, kind, destination, settings_sealed, created_at, updated_at)
    values (${ctx.tenantId}, ${channel.id}, ${channel.name}, ${channel.kind}, ${channel.destination},
            ${channel.sealed}, ${ctx.now()}, ${ctx.now()})`)
}

export interface ChannelChange {
  readonly name: string
  readonly active: boolean
  /** New settings and where they lead; undefined: they stay. */
  readonly settings?: { readonly sealed: Buffer; readonly destination: string }
}

/** A person's change; what failed before is forgotten. */
export async function change(ctx: Ctx, id: string, { name, active, settings }: ChannelChange): Promise<void> {
  await ctx.db.run(sql`
    update notice_channels set name = ${name}, active = ${active}, disabled_reason = null, failing_since = null,
      last_error = null, settings_sealed = coalesce(${settings?.sealed ?? null}::bytea, settings_sealed),
      destination = coalesce(${settings?.destination ?? null}, destination), updated_at = ${ctx.now()}
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export async function remove(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`delete from notice_channels where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** False when there is no such channel. */
export async function setConfirmed(ctx: Ctx, id: string, at: Date | null): Promise<boolean> {
  const changed = await ctx.db.run(sql`
    update notice_channels set confirmed_at = ${at} where tenant_id = ${ctx.tenantId} and id = ${id}`)
  return changed > 0
}

export async function noteSent(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`
    update notice_channels set failing_since = null, last_error = null, last_sent_at = ${ctx.now()},
      last_attempt_at = clock_timestamp()
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** `notBefore`: the receiver asked for no message before. Answers since when it has failed. */
export async function noteFailed(
  ctx: Ctx,
  id: string,
  { error, notBefore }: { readonly error: string; readonly notBefore?: Date | undefined },
): Promise<string | undefined> {
  const found = await ctx.db.maybe(sql<{ since: string }>`
    update notice_channels set failing_since = coalesce(failing_since, ${ctx.now()}), last_error = ${error},
      last_attempt_at = clock_timestamp(), not_before = ${notBefore ?? null}
    where tenant_id = ${ctx.tenantId} and id = ${id} returning failing_since as since`)
  return found?.since
}

export async function switchOff(ctx: Ctx, id: string, reason: string): Promise<boolean> {
  const changed = await ctx.db.run(sql`
    update notice_channels set active = false, disabled_reason = ${reason}, updated_at = ${ctx.now()}
    where tenant_id = ${ctx.tenantId} and id = ${id} and active`)
  return changed > 0
}

/** False: it was tested less than `seconds` ago. */
export async function claimTest(ctx: Ctx, id: string, seconds: number): Promise<boolean> {
  const claimed = await ctx.db.run(sql`
    update notice_channels set tested_at = ${ctx.now()}
    where tenant_id = ${ctx.tenantId} and id = ${id}
      and (tested_at is null or tested_at <= ${ctx.now()}::timestamptz - make_interval(secs => ${seconds}))`)
  return claimed > 0
}
