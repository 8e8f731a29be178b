import type { Ctx } from '#platform/context.ts'
import { queueLag } from '#platform/jobs/queue-lag.ts'
import { ok, warn, type Check } from './check.ts'

const LAG_SECONDS_MAX = 300

export async function queue(system: Ctx): Promise<Check> {
  const lag = await queueLag(system)
  if (lag === undefined) return ok('queue', 'no job is due')
  const message = `the job that is due longest waits for ${Math.round(lag)} s`
  return lag <= LAG_SECONDS_MAX
    ? ok('queue', message)
    : warn('queue', message, 'See that a node with the role worker runs; if one does, start more of them.')
}
