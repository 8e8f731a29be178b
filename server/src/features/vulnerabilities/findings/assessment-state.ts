/**
 * What a count of findings rests on; without findings, anything but `assessed` means that nobody knows.
 * `no_software`: nobody ever listed what is installed. `no_advisories`: no feed brought rules to match it with.
 * `pending`: both are there, and matching has not come to it yet.
 */
export const assessmentStates = ['assessed', 'pending', 'no_software', 'no_advisories'] as const

export interface AssetAssessment {
  readonly assetId: string
  readonly state: (typeof assessmentStates)[number]
}

/** Of all assets of the tenant. */
export interface Assessment {
  readonly hasAdvisories: boolean
  readonly assets: number
  readonly assetsWithSoftware: number
}
