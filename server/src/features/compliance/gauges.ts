import type { CountedGauge } from '#platform/feature.ts'
import { driftCorrected } from './evaluation/due-store.ts'

export const gauges: readonly CountedGauge[] = [
  {
    name: 'rollcall_compliance_drift',
    help: 'Assets by which counts of checks were wrong and a round corrected them; more than 0 is a fault of the program.',
    count: (system) => driftCorrected(system),
  },
]
