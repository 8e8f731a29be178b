/** The times of a schedule, as flows have them since before other rooms did. */
export { nextTime, timesAfter } from '#platform/jobs/schedule.ts'
