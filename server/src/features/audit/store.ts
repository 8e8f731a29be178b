import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Db } from '#platform/database/database.ts'
import type { Listed } from '#platform/http/paging.ts'
import type { Anchor, AuditEntry, AuditSearch, Verification } from './audit-entry.ts'

const FAULTS_MAX = 100

/** Writes in the caller's transaction; the entry is added to the hash chain just before the commit. */
export async function add(
  ctx: Ctx,
  entry: Pick<AuditEntry, 'action' | 'subject' | 'details'>,
): Promise<void> {
  const { kind, id: actorId, name = null, address = null } = ctx.actor
  const { id } = await ctx.db.one(sql<{ id: number }>`
    insert into audit_entries
      (tenant_id, actor_kind, actor_id, actor_name, address, action, subject_type, subject_id, details)
    values (${ctx.tenantId}, ${kind}, ${actorId}, ${name}, ${address}, ${entry.action}, ${entry.subject.type},
            ${entry.subject.id}, ${JSON.stringify(entry.details)}::jsonb)
    returning id`)
  ctx.db.beforeCommit(link, { tenantId: ctx.tenantId, id })
}

interface Unlinked {
  readonly tenantId: string
  readonly id: number
}

/** Locks tenants in a fixed order, to avoid deadlocks. */
async function link(db: Db, entries: readonly Unlinked[]): Promise<void> {
  const byTenant = Map.groupBy(entries, (it) => it.tenantId)
  for (const tenantId of [...byTenant.keys()].sort()) {
    const ids = byTenant.get(tenantId)?.map(({ id }) => id)
    await db.run(sql`select link_audit_entries(${tenantId}, ${ids}::bigint[])`)
  }
}

/** API keys have no actor name in their entries; the current name of the key is returned. */
export async function search(ctx: Ctx, wanted: AuditSearch): Promise<Listed<AuditEntry>> {
  const where = conditions(ctx, wanted)
  const items = await ctx.db.all(sql<AuditEntry>`
    select id, at, address, action, details,
      jsonb_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name) as actor,
      jsonb_build_object('type', subject_type, 'id', subject_id) as subject
    from audit_entries e where ${where}
    order by id desc limit ${wanted.limit} offset ${wanted.offset}`)
  const { total } = await ctx.db.one(sql<{ total: number }>`
    select count(*) as total from audit_entries e where ${where}`)
  const nameless = items.flatMap(({ actor: { name, id } }) => (name === null ? [id] : []))
  const names = await keyNames(ctx, [...new Set(nameless)])
  const named = items.map((it) => ({
    ...it,
    actor: { ...it.actor, name: it.actor.name ?? names.get(it.actor.id) ?? null },
  }))
  return { items: named, total }
}

async function keyNames(ctx: Ctx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.db.all(sql<{ id: string; name: string }>`
    select id, name from api_keys where tenant_id = ${ctx.tenantId} and id::text = any(${[...ids]}::text[])`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

function conditions(ctx: Ctx, wanted: AuditSearch) {
  const { actorId, action, subjectType, subjectId, text, from, until } = wanted
  const given = [
    sql`e.tenant_id = ${ctx.tenantId}`,
    actorId && sql`e.actor_id = ${actorId}`,
    action && (action.endsWith('.') ? sql`starts_with(e.action, ${action})` : sql`e.action = ${action}`),
    subjectType && sql`e.subject_type = ${subjectType}`,
    subjectId &&
      sql`(e.subject_id = ${subjectId}
        or e.subject_id = '' and e.details->'subjects' @> jsonb_build_array(jsonb_build_object('id', ${subjectId}::text)))`,
    text &&
      sql`strpos(lower(concat_ws(' ', e.actor_id, e.actor_name, e.address, e.action, e.subject_type,
      e.subject_id, e.details::text)), lower(${text})) > 0`,
    from && sql`e.at >= ${from}::timestamptz`,
    until && sql`e.at < ${until}::timestamptz`,
  ].filter((it) => it !== undefined && it !== '')
  return sql.join(given, sql` and `)
}

/** The hashed text of entry `e`. */
export const textOf = sql`audit_text(e.id, e.tenant_id, e.at, e.actor_kind, e.actor_id, e.actor_name, e.address, e.action,
  e.subject_type, e.subject_id, e.details)`

/**
 * Compares each link with its entry and the previous link; then finds entries without link, and compares the stored
 * head.
 */
export async function faults(ctx: Ctx): Promise<string[]> {
  const found = await ctx.db.all(sql<{ fault: string }>`
    with links as (
      select seq, entry_id, hash, lag(seq, 1, 0::bigint) over (order by seq) as seq_before,
        lag(hash, 1, ''::bytea) over (order by seq) as hash_before
      from audit_links where tenant_id = ${ctx.tenantId}
    ), wrong as (
      select l.seq, format('link %s: entry %s is not as it was written', l.seq, l.entry_id) as fault
      from links l left join audit_entries e on e.id = l.entry_id and e.tenant_id = ${ctx.tenantId}
      where e.id is null or l.hash <> sha256(l.hash_before || convert_to(${textOf}, 'UTF8'))
      union all
      select seq, format('link %s: the one before it is missing', seq) from links where seq <> seq_before + 1
      union all
      select null, format('entry %s: has no link', e.id) from audit_entries e
      where e.tenant_id = ${ctx.tenantId} and not exists (
        select from audit_links l where l.tenant_id = ${ctx.tenantId} and l.entry_id = e.id)
      union all
      select null, format('link %s: the last one is missing', h.seq) from audit_heads h
      where h.tenant_id = ${ctx.tenantId} and not exists (
        select from audit_links l where l.tenant_id = ${ctx.tenantId} and l.seq = h.seq and l.hash = h.hash)
    )
    select fault from wrong order by seq nulls last limit ${FAULTS_MAX}`)
  return found.map(({ fault }) => fault)
}

export async function extent(ctx: Ctx): Promise<Pick<Verification, 'entries' | 'head'>> {
  const { entries } = await ctx.db.one(sql<{ entries: number }>`
    select count(*) as entries from audit_entries where tenant_id = ${ctx.tenantId}`)
  const head = await ctx.db.maybe(sql<Anchor>`
    select seq, encode(hash, 'hex') as hash from audit_heads where tenant_id = ${ctx.tenantId}`)
  return { entries, head }
}

export async function hasLink(ctx: Ctx, { seq, hash }: Anchor): Promise<boolean> {
  const link = await ctx.db.maybe(sql`
    select seq from audit_links
    where tenant_id = ${ctx.tenantId} and seq = ${seq} and hash = decode(${hash}, 'hex')`)
  return link !== undefined
}
