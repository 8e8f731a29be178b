import { setTimeout as sleep } from 'node:timers/promises'
import type { Action } from '#features/flows/actions/action.ts'
import { actions } from '#features/flows/actions/all.ts'
import { executeRuns } from '#features/flows/running/execute-run.ts'
import type { DatabaseAddress } from '#platform/database/address.ts'
import { openLog } from '#platform/observability/log.ts'
import { openNet } from '#platform/egress/net.ts'
import { features } from '../../../src/app.ts'
import { openRuntime } from '../../../src/startup/runtime.ts'

/** What the parent process hands over as the one argument. */
export interface Orders {
  readonly where: DatabaseAddress
  readonly secretKey: string
  readonly runs: readonly { readonly tenantId: string; readonly runId: string }[]
  /** They are of one tenant and one job; the last one alone has to come to the step. */
  readonly areTogether?: boolean
  /** The step at which every run stops: 0 is the first. */
  readonly step: number
  /** Whether the action of that step has done its work, which is not committed yet. */
  readonly moment: 'before' | 'after'
}

/** Executes all runs at the same time up to that moment, and then dies of SIGKILL. */
const { where, secretKey, runs, areTogether, step, moment } = JSON.parse(process.argv[2] ?? '') as Orders
const LONGEST_MS = 60_000
const running = new Set((areTogether ? runs.slice(-1) : runs).map(({ runId }) => runId))

async function stop(runId: string): Promise<never> {
  running.delete(runId)
  if (running.size === 0) process.kill(process.pid, 'SIGKILL')
  await sleep(LONGEST_MS)
  throw new Error(`these runs did not come to step ${step}, ${moment}: ${[...running].join(', ')}`)
}

function stopping(action: Action): Action {
  const perform: (...args: Parameters<Action['run']>) => Promise<unknown> = action.run
  const run = async (...args: Parameters<Action['run']>): Promise<never> => {
    const [runId = '', at] = args[2].idempotencyKey.split(':')
    const isHere = at === String(step) && running.has(runId)
    if (isHere && moment === 'before') await stop(runId)
    const output = await perform(...args)
    if (isHere) await stop(runId)
    return output as never
  }
  return { ...action, run }
}

for (const [name, action] of actions) (actions as Map<string, Action>).set(name, stopping(action))

const { contextFor } = openRuntime({
  where,
  features,
  secretKey,
  net: openNet({ allowPrivate: ['127.0.0.0/8'] }),
  log: openLog('silent'),
  connections: runs.length + 4,
})
const never = new AbortController().signal
const runIds = runs.map(({ runId }) => runId)
if (areTogether) await executeRuns(contextFor(runs[0]?.tenantId ?? ''), { runIds }, never)
else await Promise.all(runs.map(({ tenantId, runId }) => executeRuns(contextFor(tenantId), { runId }, never)))
