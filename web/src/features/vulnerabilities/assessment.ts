import type { AssessmentState } from '#api/generated/enums-and-inputs.ts'
import type { AssessmentData } from '#api/generated/vulnerabilities.ts'

/** Why an asset without findings was not assessed, and what to do. */
export const unassessedText: Readonly<Record<Exclude<AssessmentState, 'assessed'>, string>> = {
  no_software: 'No source lists what is installed here. Let a scan log in, or import its software.',
  no_advisories: 'No advisories are loaded. Turn on the feeds of your systems.',
  no_distribution_advisories:
    'No advisories of its distribution are loaded, or nothing says which it is; only they say what it has patched. Turn on their feed.',
  pending: 'Its software waits to be matched.',
}

/** Whether a count of zero is meaningful. */
export const isAnythingAssessed = (
  it: Pick<AssessmentData['assessment'], 'hasAdvisories' | 'assetsWithSoftware'>,
): boolean => it.hasAdvisories && it.assetsWithSoftware > 0
