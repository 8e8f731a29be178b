import product from '../../package.json' with { type: 'json' }
import type { Config } from '../config.ts'
import { runCollector } from '#features/collectors/process/run-collector.ts'
import { carryOutScan } from '#features/scans/scans.ts'
import { openNet } from '#platform/egress/net.ts'
import { conflict } from '#platform/errors.ts'
import { openLog } from '#platform/observability/log.ts'

/** Scans for a server elsewhere until it is asked to stop. Opens no database and no port. */
export async function collect(
  config: Config,
  stopping: Promise<unknown>,
  print: (text: string) => Promise<void>,
): Promise<void> {
  const { collectorServer: server, collectorSecret: secret, dataDir: folder, logLevel } = config
  if (server === undefined) throw conflict('COLLECTOR_SERVER is missing: the server to scan for')
  const { hostname } = new URL(server)
  const net = openNet({ allowPrivate: [hostname] })
  const stopped = new AbortController()
  void stopping.then(() => stopped.abort())
  try {
    await runCollector({
      server,
      secret,
      folder,
      version: product.version,
      net,
      log: openLog(logLevel),
      signal: stopped.signal,
      carryOut: carryOutScan,
      onEnrolled: (id) => print(`Rollcall scans as collector ${id} for ${server}.\n`),
    })
  } finally {
    await net.close()
  }
}
