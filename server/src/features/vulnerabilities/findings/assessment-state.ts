/**
 * Whether an asset was assessed for vulnerabilities; without findings, anything but `assessed` means unknown.
 * `no_software`: no source lists its software. `no_advisories`: no feed with rules is loaded.
 * `no_distribution_advisories`: no feed of its distribution is, which alone judges the packages that it built, or it
 * is not known which that is.
 * `pending`: its software was not matched yet.
 */
export const assessmentStates = [
  'assessed',
  'pending',
  'no_software',
  'no_advisories',
  'no_distribution_advisories',
] as const

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
