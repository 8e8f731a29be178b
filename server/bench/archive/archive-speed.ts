import pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BulkVerbName } from '#features/bulk-changes/bulk-change.ts'
import { getBulkChange, startBulkChange } from '#features/bulk-changes/bulk-changes.ts'
import type { Ctx } from '#platform/context.ts'
import { DatabaseUnavailable } from '#platform/database/unavailable-errors.ts'
import { startProduct } from '../processes.ts'
import { judge, type Measured } from '../ratio.ts'
import type { Bench } from '../requests/request-speed.ts'
import { seenAtOf } from '../seed/seeded-assets.ts'

const ASSETS_MAX = 100_000
const POLL_MS = 100
/** The server is killed when so much is done. */
const KILLED_AT = 0.4
/** Beside an UPDATE of as many rows in one statement: events, audit, counts and undo come with each asset. */
const RATIO_GOAL = 0.02

/**
 * Archives many assets in bulk and revives them, as the server works on it, which is killed (SIGKILL) in the middle of
 * each and started again. The server that was measured before is gone then: this is measured last.
 */
export async function measureArchiving(bench: Bench): Promise<readonly Measured[]> {
  const { scratch, size, tenantId } = bench
  const ctx = scratch.runtime.contextFor(tenantId)
  const most = Math.min(ASSETS_MAX, Math.floor(size / 2))
  const servers = [bench.product]
  const client = new pg.Client(scratch.superuser)
  await client.connect()
  try {
    const measured: Measured[] = []
    const selections = [
      ['archive', `seen > ${seenAtOf(most).toISOString()}`, most],
      ['revive', 'archived = yes', 0],
    ] as const
    for (const [verb, where, archived] of selections) {
      const limit = await secondsOfUpdate(client, tenantId, where, most)
      const ours = await change(ctx, { verb, where }, async () => {
        await servers.at(-1)?.kill()
        servers.push(await startProduct(scratch.environment))
      })
      const faults = [
        ...(ours.done === most ? [] : [`${verb}: ${ours.done} done instead of ${most}`]),
        ...(await wrongCounts(client, tenantId, archived)),
      ]
      measured.push(
        judge({
          name: 'archive',
          title: `${most} assets, ${verb}, killed once`,
          perSecond: most / ours.seconds,
          limitPerSecond: most / limit,
          ratio: limit / ours.seconds,
          goals: { ratio: RATIO_GOAL },
          faults,
        }),
      )
    }
    return measured
  } finally {
    await client.end()
    await servers.at(-1)?.stop()
  }
}

async function change(
  ctx: Ctx,
  { verb, where }: { readonly verb: BulkVerbName; readonly where: string },
  killServer: () => Promise<void>,
): Promise<{ readonly done: number; readonly seconds: number }> {
  const begunAt = performance.now()
  const { id } = await startBulkChange(ctx, { verb, where })
  let isKilled = false
  for (;;) {
    const now = await getBulkChange(ctx, id).catch(undefinedWhenAway)
    if (!now) continue
    if (now.finishedAt !== null) return { done: now.done, seconds: (performance.now() - begunAt) / 1_000 }
    if (!isKilled && now.status === 'running' && now.done >= now.total * KILLED_AT) {
      isKilled = true
      await killServer()
    }
    await sleep(POLL_MS)
  }
}

function undefinedWhenAway(error: unknown): undefined {
  if (!(error instanceof DatabaseUnavailable)) throw error
}

/** Of the same rows, in one statement that is undone. */
async function secondsOfUpdate(
  client: pg.Client,
  tenantId: string,
  where: string,
  most: number,
): Promise<number> {
  await client.query('begin')
  const begunAt = performance.now()
  await client.query(
    `update assets set archived_at = case when $2 then null else now() end, archived_by = case when $2 then null else 'rule' end where tenant_id = $1 and id = any(array(
       select id from assets where tenant_id = $1 and (archived_at is not null) = $2 order by last_seen desc limit $3))`,
    [tenantId, where === 'archived = yes', most],
  )
  const seconds = (performance.now() - begunAt) / 1_000
  await client.query('rollback')
  return seconds
}

/** Nothing half done: as many are archived as must be, and the counts of living ones are right. */
async function wrongCounts(client: pg.Client, tenantId: string, archived: number): Promise<string[]> {
  const { rows } = await client.query<{ archived: number; living: number; counted: number }>(
    `select (count(*) filter (where archived_at is not null))::int as archived,
       (count(*) filter (where archived_at is null))::int as living,
       (select sum(n)::int from asset_counts where tenant_id = $1) as counted
     from assets where tenant_id = $1`,
    [tenantId],
  )
  const [found] = rows
  return [
    ...(found?.archived === archived ? [] : [`${found?.archived} archived instead of ${archived}`]),
    ...(found?.living === found?.counted ? [] : [`${found?.counted} counted instead of ${found?.living}`]),
  ]
}
