import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { textOf } from '../store.ts'
import type { Link } from './verify-proof.ts'

/** Links of a tenant's audit log, and checkpoints. */

export interface Range {
  readonly first: number
  readonly last: number
}

/** In their order, each with the hash before it. */
export function links(ctx: Ctx, { first, last }: Range): Promise<(Link & { readonly before: string })[]> {
  return ctx.db.all(sql<Link & { before: string }>`
    select l.seq, ${textOf} as text, encode(l.hash, 'hex') as hash, coalesce(encode(b.hash, 'hex'), '') as before
    from audit_links l
    join audit_entries e on e.tenant_id = ${ctx.tenantId} and e.id = l.entry_id
    left join audit_links b on b.tenant_id = ${ctx.tenantId} and b.seq = l.seq - 1
    where l.tenant_id = ${ctx.tenantId} and l.seq between ${first} and ${last} order by l.seq`)
}

/** Of the newest entry whose details name the digest; undefined: none does. */
export async function seqNaming(
  ctx: Ctx,
  { subjectType, subjectId, digest }: { subjectType: string; subjectId: string; digest: string },
): Promise<number | undefined> {
  const row = await ctx.db.maybe(sql<{ seq: number }>`
    select l.seq from audit_entries e
    join audit_links l on l.tenant_id = ${ctx.tenantId} and l.entry_id = e.id
    where e.tenant_id = ${ctx.tenantId} and e.subject_type = ${subjectType} and e.subject_id = ${subjectId}
      and ${digest} in (e.details ->> 'sha256', e.details ->> 'digest')
    order by e.id desc limit 1`)
  return row?.seq
}

/** The links of entries that were written from one instant until before another; undefined: there are none. */
export async function rangeBetween(ctx: Ctx, from: Date, until: Date): Promise<Range | undefined> {
  const row = await ctx.db.one(sql<{ first: number | null; last: number | null }>`
    select min(l.seq) as first, max(l.seq) as last from audit_entries e
    join audit_links l on l.tenant_id = ${ctx.tenantId} and l.entry_id = e.id
    where e.tenant_id = ${ctx.tenantId} and e.at >= ${from} and e.at < ${until}`)
  return row.first === null || row.last === null ? undefined : { first: row.first, last: row.last }
}

export interface SignedLink {
  readonly seq: number
  /** SHA-256, hexadecimal. */
  readonly hash: string
  readonly signedAt: string
  readonly signature: Buffer
}

/** Nothing where there is one of that link. */
export async function addCheckpoint(ctx: Ctx, it: SignedLink): Promise<void> {
  await ctx.db.run(sql`
    insert into audit_checkpoints (tenant_id, seq, hash, signed_at, signature)
    values (${ctx.tenantId}, ${it.seq}, decode(${it.hash}, 'hex'), ${it.signedAt}, ${it.signature})
    on conflict (tenant_id, seq) do nothing`)
}

/** The newest first. */
export function checkpoints(ctx: Ctx, limit: number): Promise<SignedLink[]> {
  return ctx.db.all(sql<SignedLink>`
    select seq, encode(hash, 'hex') as hash, signed_at as "signedAt", signature from audit_checkpoints
    where tenant_id = ${ctx.tenantId} order by seq desc limit ${limit}`)
}
