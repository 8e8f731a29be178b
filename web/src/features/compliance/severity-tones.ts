import type { CheckSeverity } from '#api/generated/enums-and-inputs.ts'
import type { Tone } from '#ui/badge.tsx'

/** The worst first. */
export const severityTones: Readonly<Record<CheckSeverity, Tone>> = {
  critical: 'bad',
  high: 'bad',
  medium: 'warn',
  low: 'none',
}
