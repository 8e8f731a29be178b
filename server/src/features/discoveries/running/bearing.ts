import { setTimeout as sleep } from 'node:timers/promises'
import { openPortsOfRun } from '#features/scans/scans.ts'
import type { Ctx } from '#platform/context.ts'
import type { Login } from '../discovery.ts'
import type { Attempt } from './attempt.ts'

/** How many of the ports that were open in the sweep are asked again. */
const PORTS_MAX = 3
/** What reloads its service or is busy for a moment is back by then. */
const AGAIN_MS = 3_000

export interface AskedHost {
  readonly address: string
  /** Open in the sweep. */
  readonly ports: readonly number[]
  /** It answered something since the logins began. */
  readonly hasAnswered: boolean
  /** Before its ports are asked the second time; absent: 3 seconds. */
  readonly againMs?: number
}

/**
 * After a login: whether the host bears to be asked on. One that let us in or refused does; of any other the ports are asked
 * that were open. When none takes a connection, no more logins follow, and if it answered just before, it counts as harmed.
 */
export async function judgeBearing(ctx: Ctx, attempt: Attempt, host: AskedHost, login: Login): Promise<void> {
  const { governor, pace } = attempt
  if (login.outcome !== 'unanswered') return pace.heard('answered')
  const { address, ports, hasAnswered, againMs = AGAIN_MS } = host
  if (ports.length === 0 || (await isOpen(ctx, attempt, host))) return
  await sleep(againMs, undefined, { signal: attempt.signal })
  if (await isOpen(ctx, attempt, host)) return
  pace.heard('silent')
  const named = `port${ports.length === 1 ? '' : 's'} ${ports.slice(0, PORTS_MAX).join(', ')}`
  if (hasAnswered)
    governor.harmed(address, `it answered ${login.type}, and takes no connection at ${named} any more`)
  else governor.left(address, `it was there in the sweep, and takes no connection at ${named} any more`)
}

async function isOpen(
  ctx: Ctx,
  { sweepScanId, signal, targetIdOf }: Attempt,
  { address, ports }: AskedHost,
): Promise<boolean> {
  const asked = { address, ports: ports.slice(0, PORTS_MAX), targetId: targetIdOf(address) }
  return (await openPortsOfRun(ctx, sweepScanId, asked, signal)).size > 0
}
