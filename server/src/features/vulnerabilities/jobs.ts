import { softwareChanged } from '#features/software/software.ts'
import { worker, type PeriodicJob } from '#platform/jobs/job.ts'
import { followCatalogue, followJob, matchDue, matchJob, matchObservations } from './matching/matching.ts'
import { confirmMissed, followSurroundings, wakeTenants } from './matching/periodic-matching.ts'
import { endExpired } from './overrides/override-expiry.ts'

export const jobs = [
  worker(softwareChanged, (ctx, { observationIds }, signal) =>
    matchObservations(ctx, observationIds, signal),
  ),
  worker(matchJob, (ctx, _, signal) => matchDue(ctx, signal)),
  worker(followJob, (ctx, _, signal) => followCatalogue(ctx, signal)),
]

export const every: readonly PeriodicJob[] = [
  { name: 'vulnerabilities.wakeTenants', everySeconds: 30, run: wakeTenants },
  { name: 'vulnerabilities.confirmMissed', everySeconds: 600, run: confirmMissed },
  { name: 'vulnerabilities.followSurroundings', everySeconds: 3_600, run: followSurroundings },
  { name: 'vulnerabilities.endExpired', everySeconds: 60, run: endExpired },
]
