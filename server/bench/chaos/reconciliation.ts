import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Seen } from './receiver.ts'

/** What is true in the end, of what the database says and what the receiver saw. */
export interface Reconciliation {
  readonly deliveries: number
  /** Events without a delivery that ended, and deliveries called Delivered that the receiver never acknowledged. */
  readonly lost: number
  /** Deliveries with more than ten attempts, counted by the delivery or by its log of attempts. */
  readonly overTen: number
  readonly deadLetters: number
  /** Acknowledged requests beyond the first of an event. */
  readonly duplicates: number
  readonly interrupted: number
  /** Requests of the event that was sent most often, those of interrupted attempts included. */
  readonly requestsMax: number
}

interface Ended {
  readonly id: string
  readonly status: string | null
}

export async function reconcile(ctx: Ctx, { acknowledged, requestsMax }: Seen): Promise<Reconciliation> {
  const ended = await ctx.db.all(sql<Ended>`
    select e.id, l.status from events e left join webhook_delivery_log l on l.event_id = e.id`)
  const { overTen, interrupted } = await ctx.db.one(sql<{ overTen: number; interrupted: number }>`
    select
      (select count(*) from webhook_delivery_log where attempts > 10)
      + (select count(*) from (select from webhook_attempts where fault is distinct from 'interrupted'
                               group by delivery_id having count(*) > 10) it) as "overTen",
      (select count(*) from webhook_attempts where fault = 'interrupted') as interrupted`)
  const isLost = ({ id, status }: Ended) => status === null || (status === 'd' && !acknowledged.has(id))
  return {
    deliveries: ended.length,
    lost: ended.filter(isLost).length,
    overTen,
    deadLetters: ended.filter((it) => it.status === 'x').length,
    duplicates: [...acknowledged.values()].reduce((sum, count) => sum + count - 1, 0),
    interrupted,
    requestsMax,
  }
}

/** Nothing waits and nothing is under way; false while nobody can tell. */
export async function isEmpty(ctx: Ctx): Promise<boolean> {
  return ctx.db.all(sql`select from webhook_deliveries limit 1`).then(
    (rows) => rows.length === 0,
    () => false,
  )
}
