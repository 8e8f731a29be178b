import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Pace } from '../connectors/connector.ts'

const SUCCESSES_TO_SPEED_UP = 20
/** Calls that were not made in the last seconds may be made at once. */
const BURST = sql`interval '2 seconds'`

interface Bucket {
  readonly connectionId: string
  readonly bucket: string
  readonly rate: Pace['callRate']
}

/** Takes the bucket's next moment; answers for how many milliseconds the caller must wait. */
export async function take(ctx: Ctx, { connectionId, bucket, rate }: Bucket): Promise<number> {
  const now = ctx.now()
  const row = await ctx.db.maybe(sql<{ mine: string }>`
    insert into cloud_call_rates as b (tenant_id, connection_id, bucket, rate, next_call_at)
    select ${ctx.tenantId}, id, ${bucket}, ${rate.start}, ${now}::timestamptz - ${BURST} + make_interval(secs => ${1 / rate.start})
    from cloud_connections where tenant_id = ${ctx.tenantId} and id = ${connectionId}
    on conflict (tenant_id, connection_id, bucket) do update set
      next_call_at = greatest(b.next_call_at, ${now}::timestamptz - ${BURST}) + make_interval(secs => 1 / b.rate),
      successes = (b.successes + 1) % ${SUCCESSES_TO_SPEED_UP},
      rate = case when b.successes + 1 = ${SUCCESSES_TO_SPEED_UP} then least(b.rate + 1, ${rate.max}) else b.rate end
    returning next_call_at - make_interval(secs => 1 / rate) as mine`)
  return row ? Math.max(0, Date.parse(row.mine) - now.getTime()) : 0
}

export async function slowDown(ctx: Ctx, { connectionId, bucket, rate }: Bucket): Promise<void> {
  await ctx.db.run(sql`
    update cloud_call_rates set rate = greatest(rate / 2, ${rate.min}), successes = 0,
      next_call_at = greatest(next_call_at, ${ctx.now()})
    where tenant_id = ${ctx.tenantId} and connection_id = ${connectionId} and bucket = ${bucket}`)
}
