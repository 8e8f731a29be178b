import type { Feature } from '#platform/feature.ts'
import type { Job, PeriodicJob } from '#platform/jobs/job.ts'
import { jobRow, periodicRow } from '#platform/jobs/work-in-words.ts'
import { features } from '../app.ts'

/** docs/background-work.md: what features do beside requests, from the data that queue and scheduler read. */
export function backgroundWorkPage(): string {
  const jobs = features.flatMap(({ jobs: workers = [] }: Feature): Job<unknown>[] =>
    workers.map((it) => it.job),
  )
  const every = features.flatMap(({ every: periodic = [] }: Feature): readonly PeriodicJob[] => periodic)
  return [
    HEAD,
    JOBS,
    table(JOB_COLUMNS, jobs.map(jobRow)),
    EVERY,
    table(PERIODIC_COLUMNS, every.map(periodicRow)),
  ]
    .join('\n\n')
    .concat('\n')
}

const JOB_COLUMNS = ['job', 'tries', 'lane', 'longest pause between tries', 'takes the others along']
const PERIODIC_COLUMNS = ['work', 'every']

const table = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const HEAD = `# Background work

What the server does beside requests, in processes with the role \`worker\`. \`rollcall_jobs\` counts it for Prometheus; see [Monitoring](monitoring.md).

This page is made from the jobs themselves by \`npm run generate\`.`

const JOBS = `## Jobs

Each is a committed row until it is done, so a crash loses none. One that fails is tried again after pauses that grow from seconds, until its tries are over. The lane \`long\` is for work that waits for other machines, and has slots of its own. A job that takes the others along does whatever of its kind waits for the tenant.`

const EVERY = `## At set times

Once in the whole installation, however many processes run.`
