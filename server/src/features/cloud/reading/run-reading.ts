import { atomically, type Ctx } from '#platform/context.ts'
import { enqueue } from '#platform/jobs/job.ts'
import { scopeText } from '../cloud-resource.ts'
import * as connections from '../connection-store.ts'
import type { CloudConnection } from '../connection.ts'
import { CloudFault } from '../connectors/cloud-fault.ts'
import type { Pace, ResourcePage, Shortfall } from '../connectors/connector.ts'
import * as resources from '../resource-store.ts'
import * as scopes from '../scope-store.ts'
import { readJob, type ReadJob } from './cloud-jobs.ts'
import { BATCH_MAX, takeIn, takeLeave, type SeenInScope } from './resource-intake.ts'
import { connectorOf, openSession, PACE } from './session.ts'

/** A scope of this many resources that is suddenly empty is read again before they are gone. */
const SURPRISING = 20
const AGAIN_AFTER_MS = 300_000
const GONE_AT_ONCE = 500

/**
 * Reads the scopes of one reading to their end. Each ends complete, partial or failed with a reason; only what a
 * complete scope did not show is gone. Throws when the process stops, and when something is wrong with Rollcall
 * itself: the job runs again then.
 */
export async function runReading(
  ctx: Ctx,
  { connectionId, reading }: ReadJob,
  signal: AbortSignal,
  pace: Pace = PACE,
): Promise<void> {
  const connection = await connections.connection(ctx, connectionId)
  if (!connection?.isEnabled) return
  const running = await scopes.begin(ctx, connectionId, reading)
  if (running.length === 0) return
  const ends = new Ends(running)
  const deadline = AbortSignal.timeout(pace.deadlineMs)
  const session = await openSession(ctx, connection, AbortSignal.any([signal, deadline]), pace)
  try {
    const pages = connectorOf(connection.provider).read(session, { key: reading, scopes: running })
    for await (const page of pages) await takePage(ctx, connection, ends, page)
  } catch (error) {
    if (signal.aborted) throw error
    if (deadline.aborted)
      ends.endAll('partial', `not finished within ${Math.round(pace.deadlineMs / 60_000)} minutes`)
    else if (error instanceof CloudFault) ends.endAll(error.status, error.message)
    else {
      ends.endAll('failed', 'Rollcall could not finish the reading; its log says why')
      await finishAll(ctx, connection, reading, ends)
      throw error
    }
  }
  await finishAll(ctx, connection, reading, ends)
}

/** What is known of how each scope ends: complete, unless something came in between. */
class Ends {
  readonly scopes: ReadonlyMap<string, scopes.RunningScope>
  readonly #seen = new Map<string, number>()
  readonly #shortfalls = new Map<string, Pick<Shortfall, 'status' | 'reason'>>()

  constructor(running: readonly scopes.RunningScope[]) {
    this.scopes = new Map(running.map((it) => [scopeText(it), it]))
  }

  count(key: string): void {
    this.#seen.set(key, this.seenOf(key) + 1)
  }

  seenOf(key: string): number {
    return this.#seen.get(key) ?? 0
  }

  endEarly(key: string, shortfall: Pick<Shortfall, 'status' | 'reason'>): void {
    if (!this.#shortfalls.has(key)) this.#shortfalls.set(key, shortfall)
  }

  endAll(status: Shortfall['status'], reason: string): void {
    for (const key of this.scopes.keys()) this.endEarly(key, { status, reason })
  }

  shortfallOf(key: string): Pick<Shortfall, 'status' | 'reason'> | undefined {
    return this.#shortfalls.get(key)
  }
}

async function takePage(
  ctx: Ctx,
  connection: CloudConnection,
  ends: Ends,
  page: ResourcePage,
): Promise<void> {
  for (const { scope, ...shortfall } of page.shortfalls ?? []) ends.endEarly(scopeText(scope), shortfall)
  const found: SeenInScope[] = []
  for (const seen of page.resources) {
    const key = scopeText(seen.scope)
    const scope = ends.scopes.get(key)
    // of an account that has come into being since the plan was made: the next plan names it
    if (!scope) continue
    ends.count(key)
    found.push({ scope, seen })
  }
  for (let from = 0; from < found.length; from += BATCH_MAX)
    await takeIn(ctx, connection, found.slice(from, from + BATCH_MAX))
}

async function finishAll(ctx: Ctx, connection: CloudConnection, reading: string, ends: Ends): Promise<void> {
  let isSurprised = false
  for (const [key, scope] of ends.scopes) {
    const seen = ends.seenOf(key)
    const shortfall = ends.shortfallOf(key)
    if (shortfall) {
      await scopes.finish(ctx, scope, { ...shortfall, seen, emptyRuns: scope.emptyRuns })
    } else if (seen === 0 && scope.present >= SURPRISING && scope.emptyRuns === 0) {
      isSurprised = true
      const reason = `the answer was empty where ${scope.present} resources were; read again before they are gone`
      await scopes.finish(ctx, scope, { status: 'partial', reason, seen, emptyRuns: 1 })
    } else {
      await removeUnseen(ctx, connection, scope)
      await scopes.finish(ctx, scope, {
        status: 'complete',
        reason: '',
        seen,
        emptyRuns: seen === 0 ? scope.emptyRuns + 1 : 0,
      })
    }
  }
  if (isSurprised)
    await enqueue(
      ctx,
      readJob,
      { connectionId: connection.id, reading },
      new Date(ctx.now().getTime() + AGAIN_AFTER_MS),
    )
}

/** The transactions are short: resources go some at a time, and a repeat finds those that are left. */
async function removeUnseen(
  ctx: Ctx,
  connection: CloudConnection,
  scope: scopes.RunningScope,
): Promise<void> {
  const going = { scopeId: scope.id, before: scope.run, reason: 'no longer listed', limit: GONE_AT_ONCE }
  while ((await removeSome(ctx, connection, going)) === GONE_AT_ONCE);
}

export function removeSome(ctx: Ctx, connection: CloudConnection, going: resources.Going): Promise<number> {
  return atomically(ctx, async (inner) => {
    const gone = await resources.markGone(inner, going)
    if (gone.length > 0) await takeLeave(inner, connection, gone)
    return gone.length
  })
}
