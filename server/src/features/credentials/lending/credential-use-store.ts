import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Candidate } from './attempt-order.ts'
import type { Record, RecordHere } from './circuit-breaker.ts'
import type { CredentialKind, Outcome } from '../credential.ts'
import type { Encrypted } from '../encryption/data-key-store.ts'
import type { Values } from '../credential-kinds.ts'

export interface Lendable extends Candidate {
  readonly id: string
  readonly name: string
  /** Undefined when the server cannot open it. */
  readonly sealed?: Omit<Encrypted, 'id'>
  /** For one of the collectors that were asked about; null when none of them can open it. */
  readonly encrypted: string | null
  /** Names of all collectors that can. */
  readonly openers: readonly string[]
  readonly settings: Values & { readonly port?: number }
  readonly isProven: boolean
  /** Before it goes to a host that nobody knows, a person is asked. */
  readonly asksOnUnknownHost: boolean
  /** Null when it is in use. */
  readonly openUntil: string | null
  readonly openReason: string | null
  /** At this address alone. */
  readonly openHereUntil: string | null
}

interface Asked {
  readonly address: string
  readonly targetId: string | null
  readonly kinds: readonly CredentialKind[]
  /** Those that show it in place of this server; none: the server does. */
  readonly collectorIds: readonly string[]
}

/** Those bound to a network that the address is in, or to the target of the scan. */
export async function bound(
  ctx: Ctx,
  { address, targetId, kinds, collectorIds }: Asked,
): Promise<Lendable[]> {
  const rows = await ctx.db.all(sql<Omit<Lendable, 'sealed'> & Nullable<Encrypted>>`
    select c.id, c.name, c.kind, c.settings, c.secret_sealed as "secretSealed", c.secret_version as "secretVersion",
      c.key_version as "keyVersion", k.wrapped,
      (select s.encrypted from credential_collector_secrets s where s.tenant_id = ${ctx.tenantId}
        and s.credential_id = c.id and s.collector_id = any(${[...collectorIds]}::uuid[]) limit 1) as encrypted,
      array(select o.name from credential_collector_secrets s
        join collectors o on o.tenant_id = ${ctx.tenantId} and o.id = s.collector_id
        where s.tenant_id = ${ctx.tenantId} and s.credential_id = c.id order by o.name) as openers,
      c.is_proven as "isProven",
      c.ask_on_unknown_host as "asksOnUnknownHost", c.created_at as "createdAt",
      case when c.open_until > ${ctx.now()} then c.open_until end as "openUntil", c.open_reason as "openReason",
      case when a.open_until > ${ctx.now()} then a.open_until end as "openHereUntil",
      a.accepted_at as "acceptedAt", coalesce(a.refused_in_row, 0) as "refusedInRow"
    from credentials c
    left join credential_keys k on k.tenant_id = ${ctx.tenantId} and k.version = c.key_version
    left join credential_addresses a on a.tenant_id = ${ctx.tenantId} and a.credential_id = c.id and a.address = ${address}::inet
    where c.tenant_id = ${ctx.tenantId} and c.kind = any(${kinds}::text[]) and exists (
      select from credential_bindings b where b.tenant_id = ${ctx.tenantId} and b.credential_id = c.id
        and (b.cidr >>= ${address}::inet or b.target_id = ${targetId}::uuid))`)
  return rows.map(({ secretSealed, secretVersion, keyVersion, wrapped, ...it }) =>
    secretSealed === null || keyVersion === null || wrapped === null
      ? it
      : { ...it, sealed: { secretSealed, secretVersion, keyVersion, wrapped } },
  )
}

/** Which collector can open which of these credentials. */
export const copiesOf = (
  ctx: Ctx,
  credentialIds: readonly string[],
): Promise<{ readonly credentialId: string; readonly collectorId: string }[]> =>
  ctx.db.all(sql<{ credentialId: string; collectorId: string }>`
    select credential_id as "credentialId", collector_id as "collectorId" from credential_collector_secrets
    where tenant_id = ${ctx.tenantId} and credential_id = any(${[...credentialIds]}::uuid[])`)

/** Where the server has no secret that it could open. */
type Nullable<T extends Encrypted> = Pick<T, 'id' | 'secretVersion'> & {
  readonly [K in 'secretSealed' | 'keyVersion' | 'wrapped']: T[K] | null
}

/** Locks a credential that was never accepted yet, for one try at a time; false while another scan holds the lock. */
export async function takeTrial(ctx: Ctx, id: string, holder: string, seconds: number): Promise<boolean> {
  const taken = await ctx.db.all(sql<{ id: string }>`
    update credentials set trial_by = ${holder}, trial_until = clock_timestamp() + make_interval(secs => ${seconds})
    where tenant_id = ${ctx.tenantId}
      and (trial_until is null or trial_until < clock_timestamp() or trial_by = ${holder})
      and (id = ${id} or account = (select account from credentials where tenant_id = ${ctx.tenantId} and id = ${id}))
    returning id`)
  return taken.some((it) => it.id === id)
}

/** Of one holder, or of all whose names begin so. */
export async function endTrials(ctx: Ctx, holder: string): Promise<void> {
  await ctx.db.run(sql`
    update credentials set trial_by = null, trial_until = null
    where tenant_id = ${ctx.tenantId} and starts_with(trial_by, ${holder})`)
}

export interface Standing extends Omit<Record, 'openUntil'> {
  readonly id: string
  readonly name: string
  readonly account: string | null
  readonly openUntil: string | null
}

/** It and the others of its account, held until the transaction ends. */
export function standing(ctx: Ctx, id: string): Promise<Standing[]> {
  return ctx.db.all(sql<Standing>`
    select id, name, account, trips, open_until as "openUntil",
      array(select host(it) from unnest(refused_by) it) as "refusedBy"
    from credentials
    where tenant_id = ${ctx.tenantId} and (id = ${id} or account =
      (select account from credentials where tenant_id = ${ctx.tenantId} and id = ${id}))
    order by id for update`)
}

export interface Used {
  readonly id: string
  readonly outcome: Outcome
  readonly record: Record
  readonly reason: string | null
  readonly holder: string
}

export async function noteUse(ctx: Ctx, others: readonly string[], used: Used): Promise<void> {
  const { id, outcome, record, reason, holder } = used
  await ctx.db.run(sql`
    update credentials set refused_by = ${record.refusedBy}::inet[], trips = ${record.trips},
      open_until = ${record.openUntil}, open_reason = ${reason},
      trial_until = case when trial_by = ${holder} then null else trial_until end,
      is_proven = case when id = ${id} and ${outcome} = 'accepted' then true
        when ${outcome} = 'refused' then false else is_proven end,
      last_used_at = case when id = ${id} then ${ctx.now()} else last_used_at end,
      last_accepted_at = case when id = ${id} and ${outcome} = 'accepted' then ${ctx.now()} else last_accepted_at end
    where tenant_id = ${ctx.tenantId} and id = any(${others}::uuid[])`)
}

export async function here(ctx: Ctx, id: string, address: string): Promise<RecordHere> {
  const found = await ctx.db.maybe(sql<Omit<RecordHere, 'openUntil'> & { openUntil: string | null }>`
    select refused_in_row as "refusedInRow", trips, open_until as "openUntil" from credential_addresses
    where tenant_id = ${ctx.tenantId} and credential_id = ${id} and address = ${address}::inet`)
  if (!found) return { refusedInRow: 0, trips: 0, openUntil: null }
  return { ...found, openUntil: found.openUntil === null ? null : new Date(found.openUntil) }
}

export async function noteHere(
  ctx: Ctx,
  { id, address, outcome }: { readonly id: string; readonly address: string; readonly outcome: Outcome },
  after: RecordHere,
): Promise<void> {
  const acceptedAt = outcome === 'accepted' ? ctx.now() : null
  await ctx.db.run(sql`
    insert into credential_addresses (tenant_id, credential_id, address, last_outcome, last_at, accepted_at,
      refused_in_row, trips, open_until)
    values (${ctx.tenantId}, ${id}, ${address}::inet, ${outcome}, ${ctx.now()}, ${acceptedAt},
      ${after.refusedInRow}, ${after.trips}, ${after.openUntil})
    on conflict (tenant_id, credential_id, address) do update set last_outcome = excluded.last_outcome,
      last_at = excluded.last_at, accepted_at = coalesce(excluded.accepted_at, credential_addresses.accepted_at),
      refused_in_row = excluded.refused_in_row, trips = excluded.trips, open_until = excluded.open_until`)
}
