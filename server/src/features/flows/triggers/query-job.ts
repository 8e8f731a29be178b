import { job } from '#platform/jobs/job.ts'

export interface Query {
  readonly flowId: string
}

/** Asks the condition of one flow about all assets. */
export const askAboutAllJob = job<Query>('flows.askAboutAll')
