import { runDiscovery } from '#features/discoveries/running/run-discovery.ts'
import type { DatabaseAddress } from '#platform/database/address.ts'
import { openLog } from '#platform/observability/log.ts'
import { openNet } from '#platform/egress/net.ts'
import { features } from '../../../src/app.ts'
import { openRuntime } from '../../../src/startup/runtime.ts'

/** What the parent process hands over as the one argument. */
export interface DiscoveryOrders {
  readonly where: DatabaseAddress
  readonly secretKey: string
  readonly tenantId: string
  readonly runId: string
}

/** Carries a run of a discovery out to its end, from whichever network namespace this process is in. */
const { where, secretKey, tenantId, runId } = JSON.parse(process.argv[2] ?? '') as DiscoveryOrders
const net = openNet({ allowPrivate: [] })
const runtime = openRuntime({ where, features, secretKey, net, log: openLog('silent'), connections: 8 })
await runDiscovery(runtime.contextFor(tenantId), { runId }, new AbortController().signal)
await runtime.close()
await net.close()
