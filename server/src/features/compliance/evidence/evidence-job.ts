import { job } from '#platform/jobs/job.ts'

/** Controls of a framework whose status changed. */
export const recordEvidenceJob = job<{
  readonly framework: string
  readonly controlIds: readonly string[]
  /** When, in RFC 3339; of jobs of earlier versions absent. */
  readonly changedAt?: string
}>('compliance.recordEvidence')
