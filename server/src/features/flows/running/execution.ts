import type { Ctx } from '#platform/context.ts'
import { job } from '#platform/jobs/job.ts'
import type { FlowVersion } from '../flow.ts'
import type { ClaimedRun } from './run.ts'

/** A run survives more crashes than a job usually does: each step is done once, whoever does it. */
const TRIES_MAX = 100
/** Deaths of workers count as attempts: after some, the pause must not become hours. */
const RETRY_SECONDS_MAX = 15
export const executeRunJob = job<RunsToExecute>('flows.executeRun', TRIES_MAX, {
  retrySecondsMax: RETRY_SECONDS_MAX,
})

/** One run, or several that are executed one after the other. */
export type RunsToExecute = { readonly runId: string } | { readonly runIds: readonly string[] }

/** What a worker that executes a run needs to know; `ctx` acts with the permissions of the person who published. */
export interface Execution {
  readonly ctx: Ctx
  readonly run: ClaimedRun
  readonly version: FlowVersion
  /** Others wait for it in the same job: what takes long gets a job of its own. */
  readonly isOneOfMany: boolean
}

/** How the run goes on after an instruction. */
export type Next = { readonly cursor: number } | 'ended' | 'later'
