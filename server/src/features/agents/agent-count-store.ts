import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { countOverTenants } from '#platform/observability/all-tenants.ts'
import { agentKinds, patienceMs, reportEveryHours, type AgentKind } from './agent.ts'

/** Agents of all tenants, for Prometheus. */

/** By state, as `stateOf` judges; `refused`: the latest report was not taken, whatever the state. */
export async function countAgents(system: Ctx): Promise<Record<string, number>> {
  const [row] = await countOverTenants(
    system,
    sql<Record<string, number>>`
    select count(*) filter (where state = 'pending') as pending,
      count(*) filter (where state = 'reporting') as reporting,
      count(*) filter (where state = 'waiting') as waiting,
      count(*) filter (where state = 'silent') as silent,
      count(*) filter (where state = 'revoked') as revoked,
      count(*) filter (where problem <> '') as refused
    from (
      select a.problem, case when a.revoked_at is not null then 'revoked' when a.is_pending then 'pending'
        when coalesce(a.last_report_at, a.first_seen_at) < ${system.now()}::timestamptz - k.ms * interval '1 millisecond'
          then 'silent'
        when a.last_report_at is null then 'waiting' else 'reporting' end as state
      from agents a
      join unnest(${[...agentKinds]}::text[], ${agentKinds.map(patienceMs)}::float8[]) as k(kind, ms) using (kind)
    ) as judged`,
  )
  return { ...row }
}

/** Seconds since the newest report of each kind of agent; a kind that never reported is absent. */
export async function newestReports(system: Ctx): Promise<Record<string, number>> {
  const rows = await countOverTenants(
    system,
    sql<{ kind: AgentKind; seconds: number }>`
    select kind, extract(epoch from ${system.now()}::timestamptz - max(last_report_at))::float8 as seconds
    from agents where last_report_at is not null group by kind`,
  )
  return Object.fromEntries(
    rows
      .filter(({ kind }) => kind in reportEveryHours)
      .map(({ kind, seconds }) => [kind, Math.max(0, seconds)]),
  )
}
