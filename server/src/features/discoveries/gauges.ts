import type { CountedGauge } from '#platform/feature.ts'
import { activity } from './gauge-store.ts'

/** How many schedules have a gauge of their own: those whose last success is longest ago. */
const SCHEDULES_MAX = 100

export const gauges: readonly CountedGauge[] = [
  {
    name: 'rollcall_scans',
    help: 'Scans that are not finished, the sweeps and logins of discoveries among them.',
    label: 'status',
    count: async (system) => (await activity(system, 0)).scans,
  },
  {
    name: 'rollcall_discovery_runs',
    help: 'Runs of discoveries that are not finished; waiting: for the hours in which they may touch the network.',
    label: 'status',
    count: async (system) => (await activity(system, 0)).runs,
  },
  {
    name: 'rollcall_discovery_hosts',
    help: 'Live hosts of unfinished runs that are not done.',
    label: 'state',
    count: async (system) => (await activity(system, 0)).hosts,
  },
  {
    name: 'rollcall_discovery_stops',
    help: 'Devices and networks that runs asked no more because they did not bear it; of runs under way or ended within a day.',
    count: async (system) => (await activity(system, 0)).stops,
  },
  {
    name: 'rollcall_discovery_schedules',
    help: 'Enabled schedules of discoveries.',
    count: async (system) => (await activity(system, 0)).schedules,
  },
  {
    name: 'rollcall_discovery_last_success_age_seconds',
    help: `Time since the last completed run of an enabled schedule, or since it was made; the ${SCHEDULES_MAX} longest.`,
    label: 'discovery',
    count: async (system) => (await activity(system, SCHEDULES_MAX)).sinceSuccess,
  },
]
