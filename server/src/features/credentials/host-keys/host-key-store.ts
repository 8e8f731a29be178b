import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Listed, Page } from '#platform/http/paging.ts'
import type { HostKey } from './host-key.ts'
import type { HostKeyTrust, PinnedKey } from './host-key.ts'

const columns = sql`id, host(address) as address, port, algorithm, fingerprint, first_seen_at as "firstSeenAt",
  last_seen_at as "lastSeenAt", offered_algorithm as "offeredAlgorithm", offered_fingerprint as "offeredFingerprint",
  offered_at as "offeredAt", trust, scan_id as "scanId"`

/** A certificate and the keys of SSH say nothing about each other. */
const sameService = (ctx: Ctx, { address, port, algorithm }: Omit<HostKey, 'fingerprint'>) =>
  sql`tenant_id = ${ctx.tenantId} and address = ${address}::inet and port = ${port}
    and (algorithm = 'tls') = (${algorithm} = 'tls')`

export function ofService(ctx: Ctx, host: Omit<HostKey, 'fingerprint'>): Promise<PinnedKey[]> {
  return ctx.db.all(sql<PinnedKey>`
    select ${columns} from host_keys where ${sameService(ctx, host)} order by first_seen_at, id`)
}

export function knownOfPort(ctx: Ctx, address: string, port: number): Promise<{ algorithm: string }[]> {
  return ctx.db.all(sql<{ algorithm: string }>`
    select algorithm from host_keys
    where tenant_id = ${ctx.tenantId} and address = ${address}::inet and port = ${port} and trust = 'known'
    order by algorithm`)
}

export interface Met extends HostKey, Pick<PinnedKey, 'id' | 'trust' | 'scanId'> {}

/**
 * Writes the key in place of what stood there for its algorithm, unless that is known: then nothing is changed.
 * `isNews`: it stands there for the first time.
 */
export async function put(ctx: Ctx, it: Met): Promise<{ readonly id: string; readonly isNews: boolean }> {
  const before = await ctx.db.maybe(sql<{ id: string; fingerprint: string; trust: string }>`
    select id, fingerprint, trust from host_keys
    where ${sameService(ctx, it)} and algorithm = ${it.algorithm} for update`)
  if (before?.trust === 'known') return { id: before.id, isNews: false }
  const { id } = await ctx.db.one(sql<{ id: string }>`
    insert into host_keys (id, tenant_id, address, port, algorithm, fingerprint, first_seen_at, last_seen_at, trust, scan_id)
    values (${it.id}, ${ctx.tenantId}, ${it.address}::inet, ${it.port}, ${it.algorithm}, ${it.fingerprint},
      ${ctx.now()}, ${ctx.now()}, ${it.trust}, ${it.scanId})
    on conflict (tenant_id, address, port, algorithm) do update set fingerprint = excluded.fingerprint,
      last_seen_at = excluded.last_seen_at, trust = excluded.trust, scan_id = excluded.scan_id,
      first_seen_at = case when host_keys.fingerprint = excluded.fingerprint then host_keys.first_seen_at
        else excluded.first_seen_at end
    returning id`)
  return { id, isNews: before?.fingerprint !== it.fingerprint || before.trust !== it.trust }
}

/** What a person said of it. Of the same service nothing else waits for an answer after an approval. */
export async function trust(ctx: Ctx, it: PinnedKey, as: HostKeyTrust): Promise<void> {
  await ctx.db.run(sql`
    update host_keys set trust = ${as} where tenant_id = ${ctx.tenantId} and id = ${it.id}`)
  if (as === 'known')
    await ctx.db.run(sql`
      delete from host_keys where ${sameService(ctx, it)} and id <> ${it.id} and trust = 'waiting'`)
}

export async function seen(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`
    update host_keys set last_seen_at = ${ctx.now()} where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** True when it is not the key that was offered before. */
export async function offer(ctx: Ctx, id: string, { algorithm, fingerprint }: HostKey): Promise<boolean> {
  const written = await ctx.db.run(sql`
    update host_keys set offered_algorithm = ${algorithm}, offered_fingerprint = ${fingerprint}, offered_at = ${ctx.now()}
    where tenant_id = ${ctx.tenantId} and id = ${id} and offered_fingerprint is distinct from ${fingerprint}`)
  return written === 1
}

export async function hostKeys(
  ctx: Ctx,
  { limit, offset }: Page,
  trust?: HostKeyTrust,
): Promise<Listed<PinnedKey>> {
  const where = sql`tenant_id = ${ctx.tenantId} and ${trust === undefined ? sql`true` : sql`trust = ${trust}`}`
  const items = await ctx.db.all(sql<PinnedKey>`
    select ${columns} from host_keys where ${where}
    order by trust = 'waiting' desc, offered_at desc nulls last, host_keys.address, port, algorithm
    limit ${limit} offset ${offset}`)
  const { total } = await ctx.db.one(sql<{ total: number }>`
    select count(*) as total from host_keys where ${where}`)
  return { items, total }
}

/** Held until the transaction ends. */
export function hostKey(ctx: Ctx, id: string): Promise<PinnedKey | undefined> {
  return ctx.db.maybe(sql<PinnedKey>`
    select ${columns} from host_keys where tenant_id = ${ctx.tenantId} and id = ${id} for update`)
}

/** The key that was offered is the host's from now on, and the only one of its service. */
export async function accept(ctx: Ctx, it: PinnedKey): Promise<void> {
  await ctx.db.run(sql`delete from host_keys where ${sameService(ctx, it)} and id <> ${it.id}`)
  await ctx.db.run(sql`
    update host_keys set algorithm = offered_algorithm, fingerprint = offered_fingerprint, offered_algorithm = null,
      offered_fingerprint = null, offered_at = null, first_seen_at = ${ctx.now()}, last_seen_at = ${ctx.now()}
    where tenant_id = ${ctx.tenantId} and id = ${it.id}`)
}

export async function forget(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`delete from host_keys where tenant_id = ${ctx.tenantId} and id = ${id}`)
}
