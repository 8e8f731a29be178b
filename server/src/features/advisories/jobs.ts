import type { PeriodicJob } from '#platform/jobs/job.ts'
import { syncDueFeeds } from './feeds/feeds.ts'

/** Runs often so that requested syncs begin soon; each feed has its own due time. */
export const every: readonly PeriodicJob[] = [
  { name: 'advisories.syncDue', everySeconds: 5, run: (system) => syncDueFeeds(system) },
]
