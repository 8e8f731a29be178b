import { randomUUID } from 'node:crypto'
import { record } from '#features/audit/audit.ts'
import { emit } from '#features/events/events.ts'
import { startEngine } from '#features/webhooks/delivery/engine.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import type { DatabaseAddress } from '#platform/database/address.ts'
import { openLog } from '#platform/observability/log.ts'
import { openNet } from '#platform/egress/net.ts'
import { features } from '../../../src/app.ts'
import { openRuntime } from '../../../src/startup/runtime.ts'

/** What the parent process hands over as the one argument. */
export interface Orders {
  readonly where: DatabaseAddress
  readonly secretKey: string
  readonly tenantId: string
  /** How many changes to make; further ones are the next process's matter. */
  readonly changes: number
  /** Seconds between attempts. */
  readonly waitSeconds: number
}

/** A worker that also makes changes, each with its events; it lives until it is killed. */
const { where, secretKey, tenantId, changes, waitSeconds } = JSON.parse(process.argv[2] ?? '') as Orders

const { database, system, contextFor } = openRuntime({
  where,
  features,
  secretKey,
  net: openNet({ allowPrivate: ['127.0.0.0/8'] }),
  log: openLog('silent'),
  connections: 4,
})
startEngine({ database, system, contextFor }, { schedule: (n) => (n < 10 ? waitSeconds : undefined) })
for (let made = 0; made < changes; made++) await makeChange(contextFor(tenantId))

function makeChange(ctx: Ctx): Promise<void> {
  return atomically(ctx, async (ctx) => {
    const id = randomUUID()
    await record(ctx, 'thing.made', { type: 'thing', id })
    await emit(ctx, [
      { type: 'NEW_SOURCE', payload: { source_id: id } },
      { type: 'SCAN_COMPLETED', payload: { scan_id: id } },
    ])
  })
}
