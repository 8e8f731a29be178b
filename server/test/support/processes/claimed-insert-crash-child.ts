import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { emit } from '#features/events/events.ts'
import { events } from '#features/events/feature.ts'
import { startEngine } from '#features/webhooks/delivery/engine.ts'
import { webhooks } from '#features/webhooks/feature.ts'
import { atomically } from '#platform/context.ts'
import type { DatabaseAddress } from '#platform/database/address.ts'
import { DatabaseUnavailable } from '#platform/database/unavailable-errors.ts'
import { openLog } from '#platform/observability/log.ts'
import { openNet } from '#platform/egress/net.ts'
import { openRuntime } from '../../../src/startup/runtime.ts'

/** Between which two steps of a delivery that was inserted as claimed the process dies. */
export type CrashPoint =
  | 'insert and commit'
  | 'commit and send'
  | 'send and outcome'
  | 'lease end and take-over'

/** What the parent process hands over as the one argument. */
export interface CrashOrders {
  readonly where: DatabaseAddress
  readonly secretKey: string
  readonly tenantId: string
  readonly point: CrashPoint
}

const { where, secretKey, tenantId, point } = JSON.parse(process.argv[2] ?? '') as CrashOrders
const die = (): void => void process.kill(process.pid, 'SIGKILL')
let isClaimed = false
const WAITING_MAX = 50
const waiting = sql`select from webhook_deliveries limit ${WAITING_MAX}`
/** By the transaction that asks. */
const claimedHere = sql<{ worker: number }>`
  select lease_by as worker from webhook_deliveries where status = 'r' and xmin = pg_current_xact_id()::xid`

const net = openNet({ allowPrivate: ['127.0.0.0/8'] })
const { database, system, contextFor } = openRuntime({
  where,
  features: [events, webhooks],
  secretKey,
  net: {
    ...net,
    async post(message) {
      const answer = await net.post(message)
      if (isClaimed && point === 'send and outcome') die()
      return answer
    },
  },
  log: openLog('silent'),
  connections: 4,
})
startEngine({ database, system, contextFor })

/** One event after the other, until one is inserted as claimed and the process dies of it. */
for (;;) {
  await roomForMore().catch(orUnavailable)
  await atomically(contextFor(tenantId), async (ctx) => {
    ctx.db.atEnd?.(() => {
      if (isClaimed && point !== 'send and outcome') die()
    })
    await emit(ctx, [{ type: 'NEW_SOURCE', payload: { source_id: randomUUID() } }])
    const [claim] = await ctx.db.all(claimedHere)
    isClaimed = claim !== undefined
    if (isClaimed && point === 'insert and commit') die()
    // others do so once its lock is free, and before they can see what is committed after that
    if (claim && point === 'lease end and take-over')
      await system.db.run(sql`delete from webhook_workers where id = ${claim.worker}`)
  }).catch(orUnavailable)
}

/** Nothing is claimed on insert while others wait, so on a busy machine more of them would only make the round longer. */
async function roomForMore(): Promise<void> {
  while ((await system.db.all(waiting)).length === WAITING_MAX) await sleep(20)
}

/** On a busy machine the database may be late; that is none of the points. */
function orUnavailable(error: unknown): void {
  if (!(error instanceof DatabaseUnavailable)) throw error
}
