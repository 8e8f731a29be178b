import type { Schedule } from '#platform/jobs/schedule.ts'

export interface ReportSchedule extends Schedule {
  /** Addresses of members and of confirmed mail channels, or ids of channels; at most 50. */
  readonly recipients: readonly string[]
}
