import type { Worker } from '#platform/jobs/job.ts'
import { startQueue } from '#platform/jobs/queue.ts'
import type { DatabaseAddress } from '#platform/database/address.ts'
import { openLog } from '#platform/observability/log.ts'
import { openNet } from '#platform/egress/net.ts'
import { features } from '../../src/app.ts'
import { openRuntime } from '../../src/startup/runtime.ts'

/** What the parent process hands over as the one argument. */
export interface Orders {
  readonly where: DatabaseAddress
  readonly secretKey: string
}

/** A node that works on jobs and delivers until it is killed. */
const { where, secretKey } = JSON.parse(process.argv[2] ?? '') as Orders

const { database, system, contextFor } = openRuntime({
  where,
  features,
  secretKey,
  net: openNet({ allowPrivate: ['127.0.0.0/8'] }),
  log: openLog('warn'),
  connections: 8,
})
const context = { database, system, contextFor }
startQueue(context, features.flatMap((it) => it.jobs ?? []).map(toldToParent))
for (const { engine } of features) engine?.start(context)
process.on('disconnect', () => process.exit())

/** The parent process waits for the first job of a node before it kills it. */
function toldToParent({ job, run }: Worker): Worker {
  return {
    job,
    run(...given) {
      process.send?.('at work')
      return run(...given)
    },
  }
}
