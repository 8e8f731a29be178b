import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import { newUuid } from '#platform/uuid.ts'
import type { Attachment, NoticeDelivery, RecipientRef } from '../notice.ts'

export interface StoredMessage {
  readonly id: string
  readonly dedupeKey: string
  readonly topic: string
  readonly subject: string
  readonly text: string
  readonly link: string | null
  readonly attachment?: Attachment | undefined
}

/** False: there is one with this key already. */
export async function addMessage(ctx: Ctx, { attachment, ...message }: StoredMessage): Promise<boolean> {
  const added = await ctx.db.run(sql`
    insert into notice_messages (tenant_id, id, dedupe_key, topic, subject, body, link, attachment_name,
      attachment_type, attachment, created_at)
    values (${ctx.tenantId}, ${message.id}, ${message.dedupeKey}, ${message.topic}, ${message.subject},
      ${message.text}, ${message.link}, ${attachment?.name ?? null}, ${attachment?.type ?? null},
      ${attachment?.content ?? null}, ${ctx.now()})
    on conflict (tenant_id, dedupe_key) do nothing`)
  return added > 0
}

/** Leaves out those who have unsubscribed from the topic. Answers how many were stored. */
export function addDeliveries(
  ctx: Ctx,
  { messageId, topic }: { readonly messageId: string; readonly topic: string },
  recipients: readonly RecipientRef[],
): Promise<number> {
  const ids = recipients.map(() => newUuid(ctx.now()))
  return ctx.db.run(sql`
    insert into notice_deliveries (tenant_id, id, message_id, recipient_kind, recipient_id, status,
      next_attempt_at, created_at)
    select ${ctx.tenantId}, r.id, ${messageId}, r.kind, r.recipient_id, 'waiting', ${ctx.now()}, ${ctx.now()}
    from unnest(${ids}::uuid[], ${recipients.map(({ kind }) => kind)}::text[],
                ${recipients.map(({ id }) => id)}::uuid[]) as r (id, kind, recipient_id)
    where not exists (
      select from notice_unsubscriptions u
      where u.tenant_id = ${ctx.tenantId} and u.recipient_kind = r.kind and u.recipient_id = r.recipient_id
        and u.topic = ${topic})`)
}

/** Between two messages to one channel. */
export const SPACING_SECONDS = 1
/** Kinds of channels that people read: what waits under one topic is told in one message. */
const GATHERING = ['slack', 'mattermost', 'discord', 'teams', 'ntfy']
const GATHERED_MAX = 200

export interface DueDelivery extends StoredMessage {
  readonly deliveryId: string
  /** The delivery that it is sent together with; its own id when it is the first or alone. */
  readonly firstId: string
  readonly recipientKind: RecipientRef['kind']
  readonly recipientId: string
  /** This one included. */
  readonly attempt: number
  readonly createdAt: string
}

/**
 * Claims what is due. Members get one at a time. So do channels, and never within `SPACING_SECONDS` of the attempt
 * before, whoever made it: chat rooms take about one message a second. What waits for a chat room under the same topic is
 * claimed together with the first, which all of them name as `firstId`. What a worker has claimed and not noted within
 * `leaseSeconds` is due again.
 */
export function claim(
  ctx: Ctx,
  lease: string,
  { limit, leaseSeconds }: { readonly limit: number; readonly leaseSeconds: number },
): Promise<DueDelivery[]> {
  return ctx.db.all(sql<DueDelivery>`
    with open_channels as (
      select c.id, c.kind from notice_channels c
      where c.tenant_id = ${ctx.tenantId} and ${isReady(ctx)}
      for update skip locked
    ), due as (
      select distinct on (d.recipient_kind, d.recipient_id) d.id, d.recipient_kind, d.recipient_id, d.next_attempt_at,
        m.topic, coalesce(c.kind = any(${GATHERING}::text[]), false) as gathers
      from notice_deliveries d
      join notice_messages m on m.tenant_id = ${ctx.tenantId} and m.id = d.message_id
      left join open_channels c on d.recipient_kind = 'channel' and c.id = d.recipient_id
      where d.tenant_id = ${ctx.tenantId} and ${isDue(ctx)} and (d.recipient_kind = 'member' or c.id is not null
        or not exists (select from notice_channels g where g.tenant_id = ${ctx.tenantId} and g.id = d.recipient_id))
      order by d.recipient_kind, d.recipient_id, d.next_attempt_at, d.id
    ), firsts as (
      select * from due order by next_attempt_at, id limit ${limit}
    ), attempted as (
      update notice_channels c set last_attempt_at = clock_timestamp() from firsts f
      where c.tenant_id = ${ctx.tenantId} and f.recipient_kind = 'channel' and c.id = f.recipient_id
    ), chosen as (
      select d.id, f.id as first_id from firsts f
      join notice_deliveries d on d.tenant_id = ${ctx.tenantId} and d.recipient_kind = f.recipient_kind
        and d.recipient_id = f.recipient_id and (d.id = f.id or f.gathers)
      join notice_messages m on m.tenant_id = ${ctx.tenantId} and m.id = d.message_id
      where ${isDue(ctx)} and m.topic = f.topic
      order by d.id = f.id desc, d.next_attempt_at, d.id limit ${GATHERED_MAX}
      for update of d skip locked
    ), claimed as (
      update notice_deliveries d
      set lease = ${lease}, leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}),
          attempts = d.attempts + 1
      from chosen where d.tenant_id = ${ctx.tenantId} and d.id = chosen.id
      returning d.id, d.message_id, d.recipient_kind, d.recipient_id, d.attempts, d.created_at, chosen.first_id
    )
    select d.id as "deliveryId", d.first_id as "firstId", d.recipient_kind as "recipientKind",
      d.recipient_id as "recipientId", d.attempts as attempt, d.created_at as "createdAt", m.id,
      m.dedupe_key as "dedupeKey", m.topic, m.subject, m.body as text, m.link,
      case when m.attachment is not null then jsonb_build_object('name', m.attachment_name, 'type', m.attachment_type)
      end as attachment
    from claimed d join notice_messages m on m.id = d.message_id
    where m.tenant_id = ${ctx.tenantId}
    order by d.created_at, d.id`)
}

/** A delivery `d` that may be attempted now, but for its channel. */
const isDue = (ctx: Ctx) => sql`d.status = 'waiting' and d.next_attempt_at <= ${ctx.now()}
  and (d.leased_until is null or d.leased_until < clock_timestamp())`

/** A channel `c` that may be sent to now, and is not being sent to. */
const isReady = (ctx: Ctx) => sql`
  (c.last_attempt_at is null or c.last_attempt_at <= clock_timestamp() - make_interval(secs => ${SPACING_SECONDS}))
  and (c.not_before is null or c.not_before <= ${ctx.now()})
  and not exists (select from notice_deliveries l where l.tenant_id = ${ctx.tenantId} and l.recipient_kind = 'channel'
    and l.recipient_id = c.id and l.status = 'waiting' and l.leased_until >= clock_timestamp())`

/** Whether something waits that is only held back by the attempt before it. */
export async function isHeldBack(ctx: Ctx): Promise<boolean> {
  const found = await ctx.db.maybe(sql`
    select 1 from notice_deliveries d
    left join notice_channels c on c.tenant_id = ${ctx.tenantId} and c.id = d.recipient_id and d.recipient_kind = 'channel'
    where d.tenant_id = ${ctx.tenantId} and ${isDue(ctx)} and (c.not_before is null or c.not_before <= ${ctx.now()})
    limit 1`)
  return found !== undefined
}

export async function attachmentContent(ctx: Ctx, messageId: string): Promise<Buffer | undefined> {
  const found = await ctx.db.maybe(sql<{ content: Buffer | null }>`
    select attachment as content from notice_messages where tenant_id = ${ctx.tenantId} and id = ${messageId}`)
  return found?.content ?? undefined
}

export interface Outcome {
  readonly status: NoticeDelivery['status']
  readonly error: string | null
  /** Of `waiting`. */
  readonly nextAttemptAt?: Date
}

/** False: the lease was lost, and somebody else notes what became of it. */
export async function note(
  ctx: Ctx,
  { deliveryId, lease }: { readonly deliveryId: string; readonly lease: string },
  outcome: Outcome,
): Promise<boolean> {
  const changed = await ctx.db.run(sql`
    update notice_deliveries set status = ${outcome.status}, error = ${outcome.error}, lease = null,
      leased_until = null, next_attempt_at = coalesce(${outcome.nextAttemptAt ?? null}::timestamptz, next_attempt_at),
      sent_at = case when ${outcome.status} = 'sent' then ${ctx.now()}::timestamptz end
    where tenant_id = ${ctx.tenantId} and id = ${deliveryId} and lease = ${lease}`)
  return changed > 0
}

/** Newest first. `recipientKind` member: `recipient` is the id. */
export async function list(ctx: Ctx, { limit, offset }: Page): Promise<Listed<NoticeDelivery>> {
  const { total } = await ctx.db.one(sql<{ total: number }>`
    select count(*) as total from notice_deliveries where tenant_id = ${ctx.tenantId}`)
  const items = await ctx.db.all(sql<NoticeDelivery>`
    select d.id, m.subject, d.recipient_kind as "recipientKind", coalesce(c.name, d.recipient_id::text) as recipient,
      d.status, d.attempts, d.error, d.sent_at as "sentAt", d.created_at as "createdAt",
      case when d.status = 'waiting' then d.next_attempt_at end as "nextAttemptAt"
    from notice_deliveries d
    join notice_messages m on m.id = d.message_id
    left join notice_channels c on c.tenant_id = ${ctx.tenantId} and c.id = d.recipient_id
    where d.tenant_id = ${ctx.tenantId} and m.tenant_id = ${ctx.tenantId}
    order by d.created_at desc, d.id desc limit ${limit} offset ${offset}`)
  return { items, total }
}

/** The tenants that have something due, for the engine. */
export async function tenantsWithDue(system: Ctx): Promise<string[]> {
  const found = await system.db.all(sql<{ id: string }>`
    select distinct tenant_id as id from notice_deliveries
    where status = 'waiting' and next_attempt_at <= ${system.now()}
      and (leased_until is null or leased_until < clock_timestamp())`)
  return found.map(({ id }) => id)
}

/** Sent and given up alike; their deliveries go with them. */
export async function removeBefore(system: Ctx, before: Date): Promise<void> {
  await system.db.run(sql`delete from notice_messages where created_at < ${before}`)
}

export async function unsubscribe(ctx: Ctx, { kind, id }: RecipientRef, topic: string): Promise<void> {
  await ctx.db.run(sql`
    insert into notice_unsubscriptions (tenant_id, recipient_kind, recipient_id, topic, at)
    values (${ctx.tenantId}, ${kind}, ${id}, ${topic}, ${ctx.now()}) on conflict do nothing`)
}

export async function resubscribe(ctx: Ctx, { kind, id }: RecipientRef, topic: string): Promise<void> {
  await ctx.db.run(sql`
    delete from notice_unsubscriptions
    where tenant_id = ${ctx.tenantId} and recipient_kind = ${kind} and recipient_id = ${id} and topic = ${topic}`)
}

/** Of these topics, those that the recipient wants no more of. */
export async function unsubscribedFrom(
  ctx: Ctx,
  { kind, id }: RecipientRef,
  topics: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await ctx.db.all(sql<{ topic: string }>`
    select topic from notice_unsubscriptions
    where tenant_id = ${ctx.tenantId} and recipient_kind = ${kind} and recipient_id = ${id}
      and topic = any(${[...topics]}::text[])`)
  return new Set(found.map(({ topic }) => topic))
}
