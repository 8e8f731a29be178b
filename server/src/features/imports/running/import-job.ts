import { job } from '#platform/jobs/job.ts'

/** More tries than `run-import.ts` allows an import, so that the import fails, with a reason, and not the job. */
const TRIES_MAX = 10
/** Looks through what was uploaded, or imports it, as its status says. */
export const importJob = job<{ importId: string }>('imports.work', TRIES_MAX)
