import { syncFeed } from '#features/advisories/feeds/feeds.ts'
import type { DatabaseAddress } from '#platform/database/address.ts'
import { openLog } from '#platform/observability/log.ts'
import { openNet } from '#platform/egress/net.ts'
import { features } from '../../../src/app.ts'
import { openRuntime } from '../../../src/startup/runtime.ts'

/** What the parent process hands over as the one argument. */
export interface Orders {
  readonly where: DatabaseAddress
  readonly secretKey: string
  readonly feed: string
}

/** A process that syncs one feed; the parent kills it on the way. */
const { where, secretKey, feed } = JSON.parse(process.argv[2] ?? '') as Orders

const { system } = openRuntime({
  where,
  features,
  secretKey,
  net: openNet({ allowPrivate: ['127.0.0.0/8'] }),
  log: openLog('silent'),
  connections: 2,
})
await syncFeed(system, feed)
