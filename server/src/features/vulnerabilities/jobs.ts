import { softwareChanged } from '#features/software/software.ts'
import { worker, type PeriodicJob } from '#platform/jobs/job.ts'
import {
  matchCatalogueChanges,
  catalogueJob,
  processMatchingQueue,
  matchJob,
  matchObservations,
} from './matching/matching.ts'
import {
  recheckMissedMatches,
  recheckTagsAndLifecycles,
  recheckJob,
  enqueueOverdueTenants,
  enqueueRechecks,
} from './matching/periodic-matching.ts'
import { endExpired, endExpiredJob, enqueueExpired } from './overrides/override-expiry.ts'

export const jobs = [
  worker(softwareChanged, (ctx, { observationIds }, signal) =>
    matchObservations(ctx, observationIds, signal),
  ),
  worker(matchJob, (ctx, _, signal) => processMatchingQueue(ctx, signal)),
  worker(catalogueJob, (ctx, _, signal) => matchCatalogueChanges(ctx, signal)),
  worker(recheckJob, recheckTagsAndLifecycles),
  worker(endExpiredJob, endExpired),
]

export const every: readonly PeriodicJob[] = [
  { name: 'vulnerabilities.enqueueOverdueTenants', everySeconds: 30, run: enqueueOverdueTenants },
  { name: 'vulnerabilities.recheckMissedMatches', everySeconds: 600, run: recheckMissedMatches },
  { name: 'vulnerabilities.recheckTagsAndLifecycles', everySeconds: 3_600, run: enqueueRechecks },
  { name: 'vulnerabilities.endExpired', everySeconds: 60, run: enqueueExpired },
]
