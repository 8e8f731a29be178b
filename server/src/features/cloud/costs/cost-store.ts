import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { CloudConnection } from '../connection.ts'
import type { AccountCost, CostAccount } from './cost.ts'
import type { CostSum } from './cost-sums.ts'

/** Costs of an account are read once a day. */
const READ_EVERY = sql`interval '20 hours'`
const KEPT_FOR = sql`interval '37 months'`

/** Notes that a job will read the costs; false when one is waiting or they are not due. */
export async function queue(ctx: Ctx, connectionId: string, everything: boolean): Promise<boolean> {
  const now = ctx.now()
  const queued = await ctx.db.run(sql`
    update cloud_connections set costs_queued_at = ${now}
    where tenant_id = ${ctx.tenantId} and id = ${connectionId} and is_enabled and reads_costs
      and (${everything} or costs_queued_at is null or costs_queued_at < ${now}::timestamptz - ${READ_EVERY})`)
  return queued === 1
}

export interface DueAccount {
  readonly account: string
  readonly accountName: string
  readonly settledUntil: string | null
}

/**
 * Accounts of a connection whose costs are due. Where two connections list an account, the first one made reads them: the
 * provider is asked, and paid, once.
 */
export function dueAccounts(ctx: Ctx, { id, provider }: CloudConnection, since: Date): Promise<DueAccount[]> {
  return ctx.db.all(sql<DueAccount>`
    select s.account, max(s.account_name) as "accountName", max(a.settled_until)::text as "settledUntil"
    from cloud_scopes s
    left join cloud_cost_accounts a on a.tenant_id = ${ctx.tenantId} and a.connection_id = s.connection_id
      and a.account = s.account
    where s.tenant_id = ${ctx.tenantId} and s.connection_id = ${id} and s.retired_at is null
      and (a.completed_at is null or a.completed_at < ${since})
      and not exists (
        select from cloud_scopes o
        join cloud_connections c on c.tenant_id = ${ctx.tenantId} and c.id = o.connection_id
        where o.tenant_id = ${ctx.tenantId} and o.account = s.account and o.retired_at is null
          and c.provider = ${provider} and c.is_enabled and c.reads_costs and c.id < ${id})
    group by s.account order by s.account`)
}

export interface AccountEnd extends Pick<CostAccount, 'status' | 'reason'> {
  /** Absent: as it was. */
  readonly settledUntil?: string
}

export async function noteAccount(
  ctx: Ctx,
  connectionId: string,
  { account, accountName }: Pick<DueAccount, 'account' | 'accountName'>,
  { status, reason, settledUntil }: AccountEnd,
): Promise<void> {
  const now = ctx.now()
  const completedAt = status === 'complete' ? now : null
  await ctx.db.run(sql`
    insert into cloud_cost_accounts as a (tenant_id, connection_id, account, account_name, status, reason, finished_at,
      completed_at, settled_until)
    select ${ctx.tenantId}, id, ${account}, ${accountName}, ${status}, ${reason}, ${now}::timestamptz,
      ${completedAt}::timestamptz, ${settledUntil ?? null}::date
    from cloud_connections where tenant_id = ${ctx.tenantId} and id = ${connectionId}
    on conflict (tenant_id, connection_id, account) do update set account_name = excluded.account_name,
      status = excluded.status, reason = excluded.reason, finished_at = excluded.finished_at,
      completed_at = coalesce(excluded.completed_at, a.completed_at),
      settled_until = coalesce(excluded.settled_until, a.settled_until)`)
}

interface Writing {
  readonly connection: Pick<CloudConnection, 'id' | 'provider'>
  /** Amounts of days are added to those of other days; amounts of months replace them. */
  readonly by: 'day' | 'month'
}

/** Forgets what an account's resources cost in a month, before that is written whole. */
export async function clearMonth(
  ctx: Ctx,
  { provider }: Pick<CloudConnection, 'provider'>,
  account: string,
  month: string,
): Promise<void> {
  await ctx.db.run(sql`
    delete from cloud_costs c using cloud_resources r
    where c.tenant_id = ${ctx.tenantId} and c.month = ${month}::date and r.tenant_id = ${ctx.tenantId}
      and r.id = c.resource_id and r.provider = ${provider} and r.account = ${account}`)
  await ctx.db.run(sql`
    delete from cloud_cost_months where tenant_id = ${ctx.tenantId} and provider = ${provider}
      and account = ${account} and month = ${month}::date`)
}

/** Of days that are told again the later amount counts; the amount of a month is what its days come to, to the cent. */
const merged = sql`old.days || excluded.days`
const sumOf = (days: typeof merged) =>
  sql`(select round(sum(amount::numeric), 2) from jsonb_each_text(${days}) as of_days(day, amount))`

/** Writes sums of resources; those that no resource of the inventory has are in the account's sum alone. */
export async function putResources(
  ctx: Ctx,
  { connection, by }: Writing,
  sums: readonly CostSum[],
): Promise<void> {
  await ctx.db.run(sql`
    insert into cloud_costs as old (tenant_id, resource_id, month, currency, amount, days)
    select ${ctx.tenantId}, resource_id, month, currency, ${sumOf(sql`l.days`)},
      case when ${by} = 'day' then l.days else '{}' end
    from (
      select distinct on (resource_id, month, currency) found.id as resource_id, s.month, s.currency, s.days
      from json_to_recordset(${JSON.stringify(sums)}::json)
        as s(account text, resource text, month date, currency text, days jsonb)
      join lateral (
        select r.id from cloud_resources r
        where r.tenant_id = ${ctx.tenantId} and r.provider = ${connection.provider} and r.account = s.account
          and (r.native_id = s.resource or (r.machine_id = s.resource and r.machine_id <> ''))
        order by r.gone_at desc nulls first, r.last_seen desc, r.id limit 1) found on true
      order by resource_id, month, currency, s.resource
    ) l
    on conflict (tenant_id, resource_id, month, currency) do update
      set days = ${merged}, amount = case when ${by} = 'day' then ${sumOf(merged)} else excluded.amount end`)
}

/** Writes the sums of accounts as a whole. */
export async function putAccounts(
  ctx: Ctx,
  { connection, by }: Writing,
  sums: readonly CostSum[],
): Promise<void> {
  await ctx.db.run(sql`
    insert into cloud_cost_months as old (tenant_id, provider, account, month, currency, connection_id, amount, days,
      known_from, known_until)
    select ${ctx.tenantId}, ${connection.provider}, account, month, currency, ${connection.id}::uuid, ${sumOf(sql`s.days`)},
      case when ${by} = 'day' then s.days else '{}' end,
      case when ${by} = 'day' then (select min(day)::date from jsonb_object_keys(s.days) as k(day)) else month end,
      case when ${by} = 'day' then (select max(day)::date from jsonb_object_keys(s.days) as k(day))
        else least((month + interval '1 month - 1 day')::date, ${ctx.now()}::timestamptz::date) end
    from json_to_recordset(${JSON.stringify(sums)}::json)
      as s(account text, month date, currency text, days jsonb)
    on conflict (tenant_id, provider, account, month, currency) do update
      set connection_id = excluded.connection_id, days = ${merged},
        amount = case when ${by} = 'day' then ${sumOf(merged)} else excluded.amount end,
        known_from = least(old.known_from, excluded.known_from),
        known_until = greatest(old.known_until, excluded.known_until)`)
}

/** What is older than three years. */
export async function prune(ctx: Ctx): Promise<void> {
  const before = sql`${ctx.now()}::timestamptz - ${KEPT_FOR}`
  await ctx.db.run(sql`delete from cloud_costs where tenant_id = ${ctx.tenantId} and month < ${before}`)
  await ctx.db.run(sql`delete from cloud_cost_months where tenant_id = ${ctx.tenantId} and month < ${before}`)
}

/** Gives what a connection has read to another one that lists the accounts. */
export async function handOver(ctx: Ctx, { id, provider }: CloudConnection): Promise<void> {
  await ctx.db.run(sql`
    update cloud_cost_months m set connection_id = theirs.id
    from (select distinct on (s.account) s.account, c.id from cloud_scopes s
      join cloud_connections c on c.tenant_id = ${ctx.tenantId} and c.id = s.connection_id
      where s.tenant_id = ${ctx.tenantId} and s.retired_at is null and c.id <> ${id} and c.provider = ${provider}
      order by s.account, c.id) theirs
    where m.tenant_id = ${ctx.tenantId} and m.connection_id = ${id} and m.account = theirs.account`)
}

const LAST_DAY = sql`(m.month + interval '1 month - 1 day')::date`

/** All days are in it; where amounts are told by day, none in between is missing. */
const IS_WHOLE = sql`m.known_from = m.month and m.known_until = ${LAST_DAY} and (m.days = '{}'
  or (select count(*) from jsonb_object_keys(m.days)) = extract(day from ${LAST_DAY}))`

/**
 * The latest month first, then the account that costs most. Costs of resources that are of other accounts or gone are in the sums
 * of the account alone.
 */
export function months(ctx: Ctx, since: string, connectionId?: string): Promise<AccountCost[]> {
  return ctx.db.all(sql<AccountCost>`
    with of_resources as materialized (
      select r.provider, r.account, c.month, c.currency, sum(c.amount) as amount
      from cloud_costs c
      join cloud_resources r on r.tenant_id = ${ctx.tenantId} and r.id = c.resource_id
      where c.tenant_id = ${ctx.tenantId} and c.month >= ${since}::date
      group by 1, 2, 3, 4)
    select m.provider, m.account, coalesce(a.account_name, '') as "accountName", to_char(m.month, 'YYYY-MM') as month,
      m.amount::text, m.currency, coalesce(k.amount, 0)::numeric(16, 2)::text as "ofResources",
      m.known_from::text as "knownFrom", m.known_until::text as "knownUntil", ${IS_WHOLE} as "isWhole"
    from cloud_cost_months m
    left join of_resources k on k.provider = m.provider and k.account = m.account and k.month = m.month
      and k.currency = m.currency
    left join cloud_cost_accounts a on a.tenant_id = ${ctx.tenantId} and a.connection_id = m.connection_id
      and a.account = m.account
    where m.tenant_id = ${ctx.tenantId} and m.month >= ${since}::date
      ${connectionId === undefined ? sql`` : sql`and m.connection_id = ${connectionId}`}
    order by m.month desc, m.amount desc, m.provider, m.account, m.currency`)
}

/** By account; what did not go well first. */
export function accounts(ctx: Ctx, connectionId: string): Promise<CostAccount[]> {
  return ctx.db.all(sql<CostAccount>`
    select account, account_name as "accountName", status, reason, completed_at as "completedAt"
    from cloud_cost_accounts where tenant_id = ${ctx.tenantId} and connection_id = ${connectionId}
    order by array_position(array['failed', 'partial'], status) nulls last, account`)
}

export interface AssetCostSum {
  readonly provider: string
  readonly account: string
  readonly month: string
  readonly currency: string
  readonly amount: string
  readonly resources: number
}

/** What resources of some assets cost, or all that the actor sees, by account and month. */
export function sumsOfAssets(ctx: Ctx, since: string, assetIds?: readonly string[]): Promise<AssetCostSum[]> {
  return ctx.db.all(sql<AssetCostSum>`
    select r.provider, r.account, to_char(c.month, 'YYYY-MM') as month, c.currency, sum(c.amount)::text as amount,
      count(*) as resources
    from cloud_costs c
    join cloud_resources r on r.tenant_id = ${ctx.tenantId} and r.id = c.resource_id
    join sources s on s.tenant_id = ${ctx.tenantId} and s.kind = 'cloud' and s.key = r.connection_id::text
    join asset_observations o on o.tenant_id = ${ctx.tenantId} and o.source_id = s.id
      and o.source_key = coalesce(nullif(r.machine_id, ''), r.native_id)
    where c.tenant_id = ${ctx.tenantId} and c.month >= ${since}::date
      ${assetIds === undefined ? sql`` : sql`and o.asset_id = any(${[...assetIds]}::uuid[])`}
    group by 1, 2, 3, 4 order by 3 desc, 1, 2, 4`)
}
