import { setTimeout as sleep } from 'node:timers/promises'
import { offerAt } from '#features/credentials/credentials.ts'
import { permit, type Ctx } from '#platform/context.ts'
import { isFinished, type ScanType } from '../scan-status.ts'
import { openPortsAmong } from '../probes/target/open-ports.ts'
import type { Scan } from '../scan.ts'
import type { RunOfScan } from '../touches/device-touch.ts'
import { openLedger } from '../touches/touch-ledger.ts'
import * as store from '../store.ts'
import { aimOf } from '../targets/target.ts'
import type { TargetEntries } from '../targets/target-entries.ts'
import { collectorsOf } from '../targets/target-collector-store.ts'
import { credentialKindsOf } from './credentials-for-scan.ts'
import { finishScan } from './finish-scan.ts'
import { runScan, type ScanFollower } from './run-scan.ts'

/** A scan that belongs to a run of a discovery. */
export interface ScanOfRun {
  readonly type: ScanType
  /** Whose bindings of credentials hold. */
  readonly targetId: string | null
  readonly looksAt: TargetEntries
  readonly startedBy: unknown
  readonly run: RunOfScan
}

/** It stands among the scans as any other, but has no job of its own: the run carries it out with `runScanOfRun`. */
export function addScanOfRun(
  ctx: Ctx,
  { type, targetId, looksAt, startedBy, run }: ScanOfRun,
): Promise<Scan> {
  permit(ctx, 'scans:write')
  return store.addScan(ctx, { type, targetId, aim: aimOf(looksAt), message: 'starting', startedBy, run })
}

const RETRY_MS = 1_000

/**
 * Carries the scan out and answers it finished; again after an accident, as often as any scan is tried. Undefined when
 * it is gone. Throws when the signal aborts: then another attempt goes on with it.
 */
export async function runScanOfRun(
  ctx: Ctx,
  scanId: string,
  signal: AbortSignal,
  follower?: ScanFollower,
): Promise<Scan | undefined> {
  for (;;) {
    try {
      await runScan(ctx, { scanId }, signal, follower)
    } catch (error) {
      signal.throwIfAborted()
      ctx.log.warn({ err: error, scan: scanId }, 'scan of a discovery')
      await sleep(RETRY_MS, undefined, { signal })
    }
    const scan = await store.scan(ctx, scanId)
    if (!scan || isFinished(scan.status)) return scan
    signal.throwIfAborted()
  }
}

export interface PortsOfHost {
  readonly address: string
  readonly ports: readonly number[]
  readonly targetId: string | null
}

/**
 * Those of the ports that are open at an address; what it costs the device counts as of the scan, if there is one. All of
 * them where collectors scan: this server does not look in their place, and the login finds out.
 */
export async function openPortsOfRun(
  ctx: Ctx,
  scanId: string | null,
  { address, ports, targetId }: PortsOfHost,
  signal: AbortSignal,
): Promise<ReadonlySet<number>> {
  if (ports.length === 0) return new Set()
  if (targetId !== null && (await collectorsOf(ctx, targetId)).length > 0) return new Set(ports)
  if (scanId === null) return openPortsAmong(address, ports, signal)
  const ledger = openLedger(ctx, scanId, { kind: 'sweep', name: 'ports' })
  try {
    return await openPortsAmong(address, ports, signal, ledger.counter)
  } finally {
    await ledger.end(ctx)
  }
}

/** Of those that are not finished. A running one notices within two seconds. */
export async function cancelScansOfRun(ctx: Ctx, scanIds: readonly string[], message: string): Promise<void> {
  for (const id of scanIds) await finishScan(ctx, id, { move: 'cancel', message })
}

/** Why a scan of this type has nothing to show to the address; and the ports that credentials for it name. */
export async function offerFor(
  ctx: Ctx,
  { type, address, targetId }: { type: ScanType; address: string; targetId: string | null },
) {
  const collectorIds = targetId === null ? [] : await collectorsOf(ctx, targetId)
  return offerAt(ctx, { address, targetId, kinds: credentialKindsOf[type], collectorIds })
}
