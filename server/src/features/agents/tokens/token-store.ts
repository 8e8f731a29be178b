import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { allowanceOf, counting, keeping, looking, type Allowance } from '#platform/http/rate-limit.ts'
import type { EnrolmentToken, TokenFields, TokenKind } from './enrolment-token.ts'

const LAST_USE_EVERY = '5 minutes'

const columns = sql`id, name, kind, prefix, tags, networks, uses_max as "usesMax", uses,
  needs_approval as "needsApproval", created_at as "createdAt", expires_at as "expiresAt",
  coalesce(expires_at <= now(), false) as "isExpired", revoked_at as "revokedAt", last_used_at as "lastUsedAt"`

export interface TokenToStore extends TokenFields {
  readonly id: string
  readonly prefix: string
  readonly tokenHash: Buffer
  readonly createdAt: Date
}

/** Undefined when there is a token of that secret. */
export function add(ctx: Ctx, row: TokenToStore): Promise<EnrolmentToken | undefined> {
  const days = row.expiresInDays === 'never' ? null : row.expiresInDays
  return ctx.db.maybe(sql<EnrolmentToken>`
    insert into enrolment_tokens (tenant_id, id, name, kind, prefix, token_hash, tags, networks, uses_max, needs_approval,
      created_at, expires_at)
    values (${ctx.tenantId}, ${row.id}, ${row.name}, ${row.kind}, ${row.prefix}, ${row.tokenHash},
      ${[...row.tags]}::text[], ${[...row.networks]}::text[], ${row.usesMax}, ${row.needsApproval}, ${row.createdAt},
      ${row.createdAt}::timestamptz + make_interval(days => ${days}::int))
    on conflict (token_hash) do nothing
    returning ${columns}`)
}

/** A token of the tenant that has ended gives up its secret, for another one to have it; the token stays ended. */
export async function releaseSecret(ctx: Ctx, tokenHash: Buffer, replacement: Buffer): Promise<void> {
  await ctx.db.run(sql`
    update enrolment_tokens set token_hash = ${replacement}
    where tenant_id = ${ctx.tenantId} and token_hash = ${tokenHash}
      and (revoked_at is not null or expires_at <= now())`)
}

/** Newest first, revoked and expired ones included. */
export function tokens(ctx: Ctx): Promise<EnrolmentToken[]> {
  return ctx.db.all(sql<EnrolmentToken>`
    select ${columns} from enrolment_tokens where tenant_id = ${ctx.tenantId} order by created_at desc, id`)
}

export function token(ctx: Ctx, id: string): Promise<EnrolmentToken | undefined> {
  return ctx.db.maybe(sql<EnrolmentToken>`
    select ${columns} from enrolment_tokens where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** Undefined when it was revoked before, or is not there. */
export function revoke(ctx: Ctx, id: string, at: Date): Promise<EnrolmentToken | undefined> {
  return ctx.db.maybe(sql<EnrolmentToken>`
    update enrolment_tokens set revoked_at = ${at}
    where tenant_id = ${ctx.tenantId} and id = ${id} and revoked_at is null returning ${columns}`)
}

/** One host more has enrolled; false when the token admits no further one. */
export async function takeUse(ctx: Ctx, id: string): Promise<boolean> {
  const taken = await ctx.db.run(sql`
    update enrolment_tokens set uses = uses + 1
    where tenant_id = ${ctx.tenantId} and id = ${id} and (uses_max is null or uses < uses_max)`)
  return taken === 1
}

export interface TokenHolder {
  readonly id: string
  readonly tenantId: string
  readonly kind: TokenKind
  readonly tags: readonly string[]
  readonly networks: readonly string[]
  readonly needsApproval: boolean
  readonly isExpired: boolean
  readonly isRevoked: boolean
  readonly isUseDue: boolean
}

/** Expiry and revocation are judged by the database's clock, so that all nodes agree. */
const holder = sql`id, tenant_id as "tenantId", kind, tags, networks, needs_approval as "needsApproval",
  coalesce(expires_at <= now(), false) as "isExpired", revoked_at is not null as "isRevoked",
  last_used_at is null or last_used_at < now() - ${LAST_USE_EVERY}::interval as "isUseDue"`

export const holderOf = (system: Ctx, tokenHash: Buffer): Promise<TokenHolder | undefined> =>
  system.db.maybe(sql<TokenHolder>`select ${holder} from enrolment_tokens where token_hash = ${tokenHash}`)

/** As `holderOf`. */
export const holderById = (system: Ctx, tenantId: string, id: string): Promise<TokenHolder | undefined> =>
  system.db.maybe(sql<TokenHolder>`
    select ${holder} from enrolment_tokens where tenant_id = ${tenantId} and id = ${id}`)

/** Repeats the condition of `isUseDue`: of many requests at once, one writes. */
export async function touch(system: Ctx, { tenantId, id }: TokenHolder): Promise<void> {
  await system.db.run(sql`
    update enrolment_tokens set last_used_at = clock_timestamp() where tenant_id = ${tenantId} and id = ${id}
      and (last_used_at is null or last_used_at < now() - ${LAST_USE_EVERY}::interval)`)
}

/** Counts a request in the window that all nodes share. */
export async function count(system: Ctx, bucket: Buffer, limit: number): Promise<Allowance> {
  return allowanceOf(limit, await system.db.one(counting(bucket)))
}

/** As `count` left it; undefined when nothing was counted in the running window. */
export async function counted(system: Ctx, bucket: Buffer, limit: number): Promise<Allowance | undefined> {
  const window = await system.db.maybe(looking(bucket))
  return window && allowanceOf(limit, window)
}

/** Until so many seconds have passed, `counted` answers the bucket. */
export async function keep(system: Ctx, bucket: Buffer, seconds: number): Promise<void> {
  await system.db.run(keeping(bucket, seconds))
}
