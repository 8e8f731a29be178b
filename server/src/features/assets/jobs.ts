import { worker, type PeriodicJob } from '#platform/jobs/job.ts'
import { archiveJob, archiveUnseen } from './archive/archive-rules.ts'
import { customFacetsJob, refreshAllCustomFacets } from './editing/custom-facets.ts'
import { enqueueStaleJobs, noteStale, staleJob } from './archive/stale.ts'
import { siteJob, updateAllSites } from './site/site.ts'
import { backlogJob, recogniseBacklog, enqueueBacklogJobs } from './recognition/recognition-backlog.ts'

export const jobs = [
  worker(backlogJob, (ctx, _, signal) => recogniseBacklog(ctx, signal)),
  worker(customFacetsJob, (ctx, _, signal) => refreshAllCustomFacets(ctx, signal)),
  worker(siteJob, (ctx, _, signal) => updateAllSites(ctx, signal)),
  worker(archiveJob, (ctx, _, signal) => archiveUnseen(ctx, signal)),
  worker(staleJob, (ctx, _, signal) => noteStale(ctx, signal)),
]

export const every: readonly PeriodicJob[] = [
  { name: 'assets.wakeReaders', everySeconds: 60, run: enqueueBacklogJobs },
  { name: 'assets.noteStale', everySeconds: 600, run: enqueueStaleJobs },
]
