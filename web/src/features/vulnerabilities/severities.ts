import type { Severity } from '#api/generated/enums-and-inputs.ts'

/** Highest first. */
export const SEVERITIES: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'informational']

export const severityName = (severity: Severity): string =>
  `${severity.charAt(0).toUpperCase()}${severity.slice(1)}`
