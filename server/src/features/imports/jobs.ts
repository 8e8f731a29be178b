import { worker, type PeriodicJob } from '#platform/jobs/job.ts'
import { importJob } from './running/import-job.ts'
import { removeOldImports } from './imports.ts'
import { workOnImport } from './running/run-import.ts'

export const jobs = [worker(importJob, (ctx, payload, signal) => workOnImport(ctx, payload, signal))]

export const every: readonly PeriodicJob[] = [
  { name: 'imports.removeOld', everySeconds: 3_600, run: removeOldImports },
]
