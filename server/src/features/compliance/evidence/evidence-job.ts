import { job } from '#platform/jobs/job.ts'

/** Controls of a framework whose status changed. */
export const recordEvidenceJob = job<{
  readonly framework: string
  readonly controlIds: readonly string[]
}>('compliance.recordEvidence')
