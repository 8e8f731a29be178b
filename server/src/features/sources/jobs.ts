import { worker } from '#platform/jobs/job.ts'
import { renameJob, renameObservationsOfSources } from './renamed-sources.ts'

export const jobs = [worker(renameJob, (ctx, _, signal) => renameObservationsOfSources(ctx, signal))]
