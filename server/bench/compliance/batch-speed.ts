import pg from 'pg'
import type { Ctx } from '#platform/context.ts'
import { markDue } from '../../src/features/compliance/evaluation/due-store.ts'
import { judgeDue } from '../../src/features/compliance/evaluation/judge-due.ts'
import { percentile } from '../ratio.ts'
import { recordedIn } from '../requests/recorded-statements.ts'
import type { Scratch } from '../scratch-installation.ts'
import type { DatabaseClock } from './database-cost.ts'
import { costOf } from './cost.ts'

export interface BatchSpeed {
  readonly batches: number
  readonly p50Ms: number
  readonly p95Ms: number
  /** Milliseconds of CPU for a batch, of the database and of the program. */
  readonly databaseMs: number
  readonly programMs: number
  /** Of the one statement that judges them, through the driver. */
  readonly bareP50Ms: number
  readonly bareCpuMs: number
}

const ASSETS = 500
const BATCHES = 20
/** The beginning of the statement that judges, among those of a batch or round. */
export const JUDGES = 'with judged as materialized'

/** Judges batches of assets that changed: of each some open a port and others close one. */
export async function measureBatches(
  ctx: Ctx,
  { superuser }: Scratch,
  clock: DatabaseClock,
): Promise<BatchSpeed> {
  const client = new pg.Client(superuser)
  await client.connect()
  try {
    const ids = await someAssets(client, ctx.tenantId)
    await change(client, ctx.tenantId, ids.slice(0, ASSETS), 0)
    await markDue(ctx, ids.slice(0, ASSETS))
    const statement = (await recordedIn(ctx, (inner) => judgeDue(inner))).find(({ text }) =>
      text.includes(JUDGES),
    )
    if (!statement) throw new Error('no statement judges')
    const [times, bare]: [number[], number[]] = [[], []]
    let [database, program, bareCpu] = [0, 0, 0]
    for (let batch = 0; batch < BATCHES; batch++) {
      const some = ids.slice(batch * ASSETS, (batch + 1) * ASSETS)
      await change(client, ctx.tenantId, some, batch)
      await markDue(ctx, some)
      const cost = await costOf(clock, () => judgeDue(ctx))
      times.push(cost.seconds * 1_000)
      database += cost.database
      program += cost.program
      const values = (statement.values ?? []).map((it: unknown) =>
        Array.isArray(it) && it.length === ASSETS ? some : it,
      )
      const select = await costOf(clock, () => client.query({ ...statement, values }))
      bare.push(select.seconds * 1_000)
      bareCpu += select.database
    }
    return {
      batches: BATCHES,
      p50Ms: percentile(times, 0.5),
      p95Ms: percentile(times, 0.95),
      databaseMs: (database * 1_000) / BATCHES,
      programMs: (program * 1_000) / BATCHES,
      bareP50Ms: percentile(bare, 0.5),
      bareCpuMs: (bareCpu * 1_000) / BATCHES,
    }
  } finally {
    await client.end()
  }
}

async function someAssets(client: pg.Client, tenantId: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select id from (select id from assets where tenant_id = $1 order by id desc limit $2) a order by hashtext(id::text)`,
    [tenantId, ASSETS * BATCHES],
  )
  return rows.map(({ id }) => id)
}

const change = (client: pg.Client, tenantId: string, ids: readonly string[], at: number) =>
  client.query(
    `update assets set open_ports = case when 23 = any(open_ports) then array[22, 443] when hashtext(id::text) % 9 = $3
       then array[22, 23] else open_ports end where tenant_id = $1 and id = any($2::uuid[])`,
    [tenantId, ids, at % 9],
  )
