import type { ControlStatus } from '#api/generated/enums-and-inputs.ts'

/** The worst first. */
export const STATUSES: readonly ControlStatus[] = [
  'fail',
  'warning',
  'pass',
  'not_applicable',
  'not_assessed',
]
