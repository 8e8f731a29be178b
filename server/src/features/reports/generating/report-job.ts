import { job } from '#platform/jobs/job.ts'

/** More tries than `generate-report.ts` allows a snapshot, so that it is the snapshot that fails, with a reason. */
const TRIES_MAX = 10

export const generateReportJob = job<{ snapshotId: string }>('reports.generate', TRIES_MAX)
