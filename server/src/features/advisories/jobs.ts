import type { PeriodicJob } from '#platform/jobs/job.ts'
import { syncDueFeeds } from './feeds/feeds.ts'

/** Looks often, so that a feed that a person asked for begins at once; what is due is told by each feed itself. */
export const every: readonly PeriodicJob[] = [
  { name: 'advisories.syncDue', everySeconds: 5, run: (system) => syncDueFeeds(system) },
]
