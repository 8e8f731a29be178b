import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import { countOverTenants } from '#platform/observability/all-tenants.ts'

/** What scans and discoveries of all tenants do at the moment, for Prometheus. */
export interface Activity {
  /** Unfinished ones, by status. */
  readonly runs: Readonly<Record<'pending' | 'running' | 'waiting', number>>
  readonly scans: Readonly<Record<'pending' | 'running', number>>
  /** Live hosts of unfinished runs: nobody has logged in to them yet, or somebody is at it. */
  readonly hosts: Readonly<Record<'waiting' | 'asking', number>>
  /** Places at which unfinished runs, and those that ended within a day, asked no more. */
  readonly stops: number
  /** Enabled ones. */
  readonly schedules: number
  /** Seconds, by discovery, of the `most` enabled schedules whose last completed run is longest ago; never: since it was made. */
  readonly sinceSuccess: Readonly<Record<string, number>>
}

export async function activity(system: Ctx, most: number): Promise<Activity> {
  const now = sql`${system.now()}::timestamptz`
  const [row] = await countOverTenants(
    system,
    sql<Activity>`
    select
      (select jsonb_build_object('pending', count(*) filter (where status = 'pending'),
          'running', count(*) filter (where status = 'running'), 'waiting', count(*) filter (where status = 'waiting'))
        from discovery_runs where finished_at is null) as runs,
      (select jsonb_build_object('pending', count(*) filter (where status = 'pending'),
          'running', count(*) filter (where status = 'running'))
        from scans where finished_at is null) as scans,
      (select jsonb_build_object('waiting', count(*) filter (where h.state = 'found'),
          'asking', count(*) filter (where h.state = 'asking'))
        from discovery_runs r join discovery_hosts h on h.tenant_id = r.tenant_id and h.run_id = r.id
        where r.finished_at is null and h.state <> 'done') as hosts,
      (select coalesce(sum(jsonb_array_length(stops)), 0)::integer from discovery_runs
        where finished_at is null or finished_at > ${now} - interval '1 day') as stops,
      (select count(*)::integer from discoveries where cron is not null and is_enabled) as schedules,
      (select coalesce(jsonb_object_agg(id, seconds), '{}') from (
        select d.id, greatest(0, extract(epoch from ${now} - coalesce(last.at, d.created_at)))::float8 as seconds
        from discoveries d
        left join lateral (
          select max(r.finished_at) as at from discovery_runs r
          where r.tenant_id = d.tenant_id and r.discovery_id = d.id and r.status = 'completed') last on true
        where d.cron is not null and d.is_enabled
        order by seconds desc, d.id limit ${most}) longest) as "sinceSuccess"`,
  )
  if (!row) throw new Error('a statement without from answered no row')
  return row
}
