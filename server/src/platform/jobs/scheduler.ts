import { ADVISORY_LOCKS } from '../database/advisory-locks.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Ctx } from '../context.ts'
import type { Database } from '../database/database.ts'
import { asUnavailable, DatabaseUnavailable } from '../database/unavailable-errors.ts'
import type { PeriodicJob } from './job.ts'

export interface SchedulerContext {
  readonly database: Database
  readonly system: Ctx
}

/** How soon another process takes over, and how late a job may begin. */
const TICK_MS = 1_000
const STOP_TIMEOUT_MS = 10_000

type Session = Awaited<ReturnType<Database['session']>>

/** Runs periodic work while this process is the leader; when the leader dies, its database session ends and another leads. */
export function startScheduler(
  context: SchedulerContext,
  jobs: readonly PeriodicJob[],
): { stop: () => Promise<void> } {
  const running = new Map<string, Promise<void>>()
  const stopping = new AbortController()
  let session: Session | undefined

  const begin = (it: PeriodicJob): void => {
    running.set(
      it.name,
      runOnce(context, it).finally(() => running.delete(it.name)),
    )
  }
  const tick = async (): Promise<void> => {
    session ??= await leadership(context)
    if (!session) return
    await session.query('select 1') // still there, so still the leader
    const due = await dueJobs(context, jobs)
    due.filter((it) => !running.has(it.name)).forEach(begin)
  }
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await tick().catch(async (error: unknown) => {
        const cause = asUnavailable(error)
        if (cause instanceof DatabaseUnavailable)
          context.system.log.warn(
            { reason: cause.message },
            'scheduler: no session, another process may lead',
          )
        else context.system.log.error({ err: error }, 'scheduler')
        await session?.end().catch(() => {})
        session = undefined
      })
      await sleep(TICK_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const looping = loop()
  return {
    async stop() {
      stopping.abort()
      await looping
      await Promise.race([
        Promise.allSettled(running.values()),
        sleep(STOP_TIMEOUT_MS, undefined, { ref: false }),
      ])
      await session?.end().catch(() => {})
    },
  }
}

/** A session that holds the lock, unless another process has it. */
async function leadership(context: SchedulerContext): Promise<Session | undefined> {
  const session = await context.database.session()
  const { rows } = await session.query<{ leads: boolean }>('select pg_try_advisory_lock($1) as leads', [
    ADVISORY_LOCKS.scheduler,
  ])
  if (rows[0]?.leads) return session
  await session.end()
  return undefined
}

async function dueJobs(context: SchedulerContext, jobs: readonly PeriodicJob[]): Promise<PeriodicJob[]> {
  const due = await context.system.db.all(sql<{ name: string }>`
    select asked.name
    from unnest(${jobs.map((it) => it.name)}::text[], ${jobs.map((it) => it.everySeconds)}::int[]) asked (name, seconds)
    left join periodic_jobs using (name)
    where last_run_at is null or last_run_at + make_interval(secs => seconds) <= clock_timestamp()`)
  const names = new Set(due.map((it) => it.name))
  return jobs.filter((it) => names.has(it.name))
}

/** Noted when it has ended: after a crash in the middle the next leader runs it again. A failed run waits until it is due again. */
async function runOnce(context: SchedulerContext, it: PeriodicJob): Promise<void> {
  const { db, log } = context.system
  try {
    await it.run(context.system)
  } catch (error) {
    log.error({ err: error, job: it.name }, 'periodic job failed')
  }
  await db
    .run(
      sql`
    insert into periodic_jobs (name, last_run_at) values (${it.name}, clock_timestamp())
    on conflict (name) do update set last_run_at = excluded.last_run_at`,
    )
    .catch((error: unknown) => log.error({ err: error, job: it.name }, 'periodic job not noted'))
}
