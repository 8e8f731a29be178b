import type { DatabaseAddress } from '#platform/database/address.ts'
import { openLog } from '#platform/observability/log.ts'
import { openNet } from '#platform/egress/net.ts'
import { startQueue } from '#platform/jobs/queue.ts'
import { features } from '../../../src/app.ts'
import { openRuntime } from '../../../src/startup/runtime.ts'

/** What the parent process hands over as the one argument. */
export interface QueueOrders {
  readonly where: DatabaseAddress
  readonly secretKey: string
}

/** Another node that only works on jobs; it lives until it is killed. */
const { where, secretKey } = JSON.parse(process.argv[2] ?? '') as QueueOrders
const { database, system, contextFor } = openRuntime({
  where,
  features,
  secretKey,
  net: openNet(),
  log: openLog('silent'),
  connections: 4,
})
startQueue(
  { database, system, contextFor },
  features.flatMap((it) => it.jobs ?? []),
)
