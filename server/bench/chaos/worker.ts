import { startEngine } from '#features/webhooks/delivery/engine.ts'
import type { DatabaseAddress } from '#platform/database/address.ts'
import { openLog } from '#platform/observability/log.ts'
import { openNet } from '#platform/egress/net.ts'
import { openRuntime } from '../../src/startup/runtime.ts'
import { askedToStop } from '../../src/startup/shutdown.ts'

/** What the parent process hands over as the one argument. */
export interface Orders {
  readonly where: DatabaseAddress
  readonly secretKey: string
  /** Seconds between attempts. */
  readonly waitSeconds: number
}

/** A node that delivers, until it is asked to stop or is killed. */
const { where, secretKey, waitSeconds } = JSON.parse(process.argv[2] ?? '') as Orders

/** The clock of this node, as it would be on a machine whose clock was set wrong: all code of the process reads it. */
let shiftMs = 0
const RealDate = Date
globalThis.Date = class extends RealDate {
  constructor(...given: [] | [number | string | Date]) {
    super(given.length === 0 ? RealDate.now() + shiftMs : given[0])
  }
  static override now = (): number => RealDate.now() + shiftMs
} as DateConstructor
process.on('message', (message: { readonly shiftClock?: number }) => {
  shiftMs = message.shiftClock ?? shiftMs
})

const net = openNet({ allowPrivate: ['127.0.0.0/8'] })
// what only delivers needs none of the features, and starts in a fraction of the time
const runtime = openRuntime({ where, features: [], secretKey, net, log: openLog('silent'), connections: 4 })
const engine = startEngine(runtime, { schedule: (n) => (n < 10 ? waitSeconds : undefined) })
await askedToStop()
await engine.stop()
await runtime.close()
await net.close()
process.disconnect()
