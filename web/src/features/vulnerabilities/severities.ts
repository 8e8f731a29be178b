import type { Severity } from '#api/generated/enums-and-inputs.ts'
import { sentenceCase } from '#lib/sentence-case.ts'

/** Highest first. */
export const SEVERITIES: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'informational']

export const severityName = (severity: Severity): string => sentenceCase(severity)
