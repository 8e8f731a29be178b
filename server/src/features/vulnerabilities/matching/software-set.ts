/** The software of one origin that one observation of an asset lists: a row of `software_sets`. */
export interface SoftwareSet {
  readonly assetId: string
  /** Running kernel as `uname -r` prints it; empty: not known. */
  readonly kernel: string
  readonly origin: string
  /** Ids of rows of `software`. */
  readonly ids: readonly number[]
  /** Software and CVE, as `pairOf` writes them, whose matches do not hold in this list. */
  readonly except?: ReadonlySet<string>
  /** When the observation was last seen; RFC 3339. */
  readonly seenAt: string
}

export const pairOf = (softwareId: number, cveId: string): string => `${softwareId} ${cveId}`
