import { sql } from 'kysely'
import type { EventType } from '#features/events/events.ts'
import type { Ctx, Happening } from '#platform/context.ts'
import type { NoticeRule, Preferences } from './rule.ts'

const columns = sql`r.id, r.user_id as "userId", r.name, r.event_types as "eventTypes", r.item_kinds as "itemKinds",
  r.condition, r.channel_id as "channelId", r.digest, r.active, r.disabled_reason as "disabledReason",
  r.created_at as "createdAt"`

/** Newest first. */
export function ofPerson(ctx: Ctx, userId: string): Promise<NoticeRule[]> {
  return ctx.db.all(sql<NoticeRule>`
    select ${columns} from notice_rules r where r.tenant_id = ${ctx.tenantId} and r.user_id = ${userId}
    order by r.created_at desc, r.id desc`)
}

export function active(ctx: Ctx): Promise<NoticeRule[]> {
  return ctx.db.all(sql<NoticeRule>`
    select ${columns} from notice_rules r where r.tenant_id = ${ctx.tenantId} and r.active order by r.id`)
}

export function lock(ctx: Ctx, userId: string, id: string): Promise<NoticeRule | undefined> {
  return ctx.db.maybe(sql<NoticeRule>`
    select ${columns} from notice_rules r
    where r.tenant_id = ${ctx.tenantId} and r.user_id = ${userId} and r.id = ${id} for update`)
}

/** New or changed; a change by a person forgets why it was switched off. */
export async function save(ctx: Ctx, rule: Omit<NoticeRule, 'createdAt' | 'disabledReason'>): Promise<void> {
  await ctx.db.run(sql`
    insert into notice_rules (tenant_id, id, user_id, name, event_types, item_kinds, condition, channel_id, digest,
      active, created_at, updated_at)
    values (${ctx.tenantId}, ${rule.id}, ${rule.userId}, ${rule.name}, ${[...rule.eventTypes]}::text[],
      ${[...rule.itemKinds]}::text[], ${rule.condition}, ${rule.channelId}, ${rule.digest}, ${rule.active},
      ${ctx.now()}, ${ctx.now()})
    on conflict (tenant_id, id) do update set name = excluded.name, event_types = excluded.event_types,
      item_kinds = excluded.item_kinds, condition = excluded.condition, channel_id = excluded.channel_id,
      digest = excluded.digest, active = excluded.active, disabled_reason = null, updated_at = excluded.updated_at`)
}

export async function remove(ctx: Ctx, userId: string, id: string): Promise<boolean> {
  const removed = await ctx.db.run(sql`
    delete from notice_rules where tenant_id = ${ctx.tenantId} and user_id = ${userId} and id = ${id}`)
  return removed > 0
}

export async function switchOff(ctx: Ctx, id: string, reason: string): Promise<void> {
  await ctx.db.run(sql`
    update notice_rules set active = false, disabled_reason = ${reason}, updated_at = ${ctx.now()}
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** The types of event that active rules are about. */
export async function awaitedEvents(ctx: Ctx): Promise<EventType[]> {
  const found = await ctx.db.all(sql<{ type: EventType }>`
    select distinct t as type from notice_rules r, unnest(r.event_types) t
    where r.tenant_id = ${ctx.tenantId} and r.active`)
  return found.map(({ type }) => type)
}

/** A row for each event and active rule that names its type. Answers how many. */
export function addEvents(ctx: Ctx, happenings: readonly Happening[]): Promise<number> {
  return ctx.db.run(sql`
    insert into notice_rule_events (tenant_id, rule_id, event_id, type, body, before, occurred_at)
    select ${ctx.tenantId}, r.id, e.id, e.type, e.body::jsonb, e.before::jsonb, e.at
    from unnest(${happenings.map(({ eventId }) => eventId)}::uuid[], ${happenings.map(({ type }) => type)}::text[],
      ${happenings.map(({ body }) => body.toString())}::text[],
      ${happenings.map(({ before }) => (before ? JSON.stringify(before) : null))}::text[],
      ${happenings.map(({ occurredAt }) => occurredAt)}::timestamptz[]) as e (id, type, body, before, at)
    join notice_rules r on r.tenant_id = ${ctx.tenantId} and r.active and e.type = any(r.event_types)
    on conflict do nothing`)
}

export interface RuleEvent {
  readonly ruleId: string
  readonly eventId: string
  readonly type: NoticeRule['eventTypes'][number]
  readonly body: Readonly<Record<string, unknown>>
  readonly before: Readonly<Record<string, unknown>> | null
}

/** Takes the oldest out of the list, in the caller's transaction. */
export function takeEvents(ctx: Ctx, ruleId: string, count: number): Promise<RuleEvent[]> {
  return ctx.db.all(sql<RuleEvent>`
    delete from notice_rule_events e using (
      select rule_id, event_id from notice_rule_events
      where tenant_id = ${ctx.tenantId} and rule_id = ${ruleId}
      order by occurred_at limit ${count} for update skip locked
    ) t
    where e.tenant_id = ${ctx.tenantId} and e.rule_id = t.rule_id and e.event_id = t.event_id
    returning e.rule_id as "ruleId", e.event_id as "eventId", e.type, e.body, e.before`)
}

/** What was meant for rules that are off now: it must not be told when they are on again. */
export async function forgetInactive(ctx: Ctx): Promise<void> {
  const isOff = sql`rule_id in (select r.id from notice_rules r where r.tenant_id = ${ctx.tenantId} and not r.active)`
  await ctx.db.run(sql`delete from notice_rule_events where tenant_id = ${ctx.tenantId} and ${isOff}`)
  await ctx.db.run(sql`delete from notice_rule_entries where tenant_id = ${ctx.tenantId} and ${isOff}`)
}

/** Notes which items the rule sees now; answers those that it did not see before. */
export async function seeItems(
  ctx: Ctx,
  ruleId: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  await ctx.db.run(sql`
    delete from notice_rule_items
    where tenant_id = ${ctx.tenantId} and rule_id = ${ruleId} and item_key <> all(${[...keys]}::text[])`)
  const added = await ctx.db.all(sql<{ key: string }>`
    insert into notice_rule_items (tenant_id, rule_id, item_key, since)
    select ${ctx.tenantId}, ${ruleId}, k, ${ctx.now()} from unnest(${[...keys]}::text[]) k
    on conflict do nothing returning item_key as key`)
  return new Set(added.map(({ key }) => key))
}

export interface Entry {
  readonly ruleId: string
  readonly id: string
  readonly subject: string
  readonly link: string | null
  readonly dueAt: Date
}

export async function addEntries(ctx: Ctx, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return
  await ctx.db.run(sql`
    insert into notice_rule_entries (tenant_id, rule_id, id, subject, link, at, due_at)
    select ${ctx.tenantId}, e.rule_id, e.id, e.subject, e.link, ${ctx.now()}, e.due_at
    from unnest(${entries.map(({ ruleId }) => ruleId)}::uuid[], ${entries.map(({ id }) => id)}::uuid[],
      ${entries.map(({ subject }) => subject.replaceAll('\0', ''))}::text[], ${entries.map(({ link }) => link)}::text[],
      ${entries.map((it) => it.dueAt)}::timestamptz[]) as e (rule_id, id, subject, link, due_at)
    on conflict do nothing`)
}

export async function rulesWithEvents(ctx: Ctx): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select distinct rule_id as id from notice_rule_events where tenant_id = ${ctx.tenantId}`)
  return rows.map(({ id }) => id)
}

export async function rulesWithDueEntries(ctx: Ctx): Promise<string[]> {
  const rows = await ctx.db.all(sql<{ id: string }>`
    select distinct rule_id as id from notice_rule_entries
    where tenant_id = ${ctx.tenantId} and due_at <= ${ctx.now()}`)
  return rows.map(({ id }) => id)
}

/** Takes what is due out of the list, in the caller's transaction; in the order of happening. */
export async function takeDueEntries(ctx: Ctx, ruleId: string): Promise<Omit<Entry, 'dueAt'>[]> {
  return ctx.db.all(sql<Omit<Entry, 'dueAt'>>`
    with taken as (
      delete from notice_rule_entries
      where tenant_id = ${ctx.tenantId} and rule_id = ${ruleId} and due_at <= ${ctx.now()}
      returning rule_id, id, subject, link, at
    )
    select rule_id as "ruleId", id, subject, link from taken order by at, id`)
}

interface StoredPreferences extends Omit<Preferences, 'quietFrom' | 'quietUntil'> {
  readonly userId: string
  readonly quietFrom: string | null
  readonly quietUntil: string | null
}

const preferenceColumns = sql`user_id as "userId", zone, digest_hour as "digestHour",
  to_char(make_interval(mins => quiet_from), 'HH24:MI') as "quietFrom",
  to_char(make_interval(mins => quiet_until), 'HH24:MI') as "quietUntil",
  next_summary_at is not null as "hasSummary"`

export function preferences(ctx: Ctx, userIds: readonly string[]): Promise<StoredPreferences[]> {
  return ctx.db.all(sql<StoredPreferences>`
    select ${preferenceColumns} from notice_preferences
    where tenant_id = ${ctx.tenantId} and user_id = any(${[...userIds]}::uuid[])`)
}

export interface PreferenceRow {
  readonly userId: string
  readonly zone: string
  readonly quietFrom: number | null
  readonly quietUntil: number | null
  readonly digestHour: number
  readonly nextSummaryAt: Date | null
}

export async function savePreferences(ctx: Ctx, row: PreferenceRow): Promise<void> {
  await ctx.db.run(sql`
    insert into notice_preferences (tenant_id, user_id, zone, quiet_from, quiet_until, digest_hour, next_summary_at)
    values (${ctx.tenantId}, ${row.userId}, ${row.zone}, ${row.quietFrom}, ${row.quietUntil}, ${row.digestHour},
      ${row.nextSummaryAt})
    on conflict (tenant_id, user_id) do update set zone = excluded.zone, quiet_from = excluded.quiet_from,
      quiet_until = excluded.quiet_until, digest_hour = excluded.digest_hour,
      next_summary_at = excluded.next_summary_at`)
}

/** People whose mail about what waits is due; their rows are locked. */
export function dueSummaries(ctx: Ctx): Promise<(StoredPreferences & { readonly dueAt: string })[]> {
  return ctx.db.all(sql<StoredPreferences & { dueAt: string }>`
    select ${preferenceColumns}, next_summary_at as "dueAt" from notice_preferences
    where tenant_id = ${ctx.tenantId} and next_summary_at <= ${ctx.now()} for update skip locked`)
}

export async function setNextSummary(ctx: Ctx, userId: string, at: Date | null): Promise<void> {
  await ctx.db.run(sql`
    update notice_preferences set next_summary_at = ${at}
    where tenant_id = ${ctx.tenantId} and user_id = ${userId}`)
}

/** The tenants that have rules or wait for a summary. */
export async function tenants(system: Ctx): Promise<string[]> {
  const found = await system.db.all(sql<{ id: string }>`
    select tenant_id as id from notice_rules where active
    union select tenant_id from notice_preferences where next_summary_at <= ${system.now()}`)
  return found.map(({ id }) => id)
}
