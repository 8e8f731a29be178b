/** The software of one origin that one observation of an asset lists: a row of `software_sets`. */
export interface SoftwareSet {
  readonly assetId: string
  /** Running kernel as `uname -r` prints it; empty: not known. */
  readonly kernel: string
  readonly origin: string
  /** Ecosystem of the distribution that the source tells as the system; empty: none. */
  readonly distribution?: string
  /** Ids of rows of `software`. */
  readonly ids: readonly number[]
  /** Software and CVE, as `pairOf` writes them, whose matches do not hold in this list. */
  readonly except?: ReadonlySet<string>
  /** Software that the distribution may have built and mended: what is not known of the asset's packages. */
  readonly unconfirmed?: ReadonlySet<number>
  /** When the observation was last seen; RFC 3339. */
  readonly seenAt: string
}

export const pairOf = (softwareId: number, cveId: string): string => `${softwareId} ${cveId}`
