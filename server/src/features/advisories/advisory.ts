/** One record of a feed, in the common form of all feeds. */
export interface Advisory {
  /** As the feed names it: `CVE-2024-6387`, `DSA-5724-1`, `GHSA-…`, `RHSA-2024:4312`, `PYSEC-2021-335`. */
  readonly id: string
  /** Distinguishes records of the same id, such as the package in Debian's tracker. */
  readonly scope?: string
  /** CVE ids of the vulnerabilities it describes; may be empty. */
  readonly cveIds: readonly string[]
  /** Aliases, as the feed lists them. */
  readonly aliases: readonly string[]
  readonly state: 'published' | 'rejected' | 'withdrawn'
  readonly isDisputed: boolean
  /** English; may be empty. */
  readonly description: string
  readonly publishedAt?: Date
  readonly modifiedAt?: Date
  readonly scores: readonly Score[]
  /** The feed's own severity, where it gives no score. */
  readonly severity?: Severity
  readonly ssvc?: Ssvc
  readonly weaknesses: readonly string[]
  readonly references: readonly string[]
  readonly rules: readonly Rule[]
}

export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'informational'

/** Decision points of CISA's SSVC, which the CVE list has in its ADP container. */
export interface Ssvc {
  readonly exploitation: 'none' | 'poc' | 'active'
  readonly isAutomatable: boolean
  readonly impact: 'partial' | 'total'
}

export interface Score {
  readonly version: '2.0' | '3.0' | '3.1' | '4.0'
  readonly vector: string
  /** Base score, 0 to 10. */
  readonly score: number
  /** Who scored: `nvd@nist.gov`, the CNA, `cisa-adp`, the distribution. */
  readonly source: string
}

/** Which versions of one package are affected, or that none is. */
export interface Rule {
  /**
   * OSV ecosystem of the package name: `Debian:12`, `Ubuntu:22.04`, `Alpine:v3.19`, `Red Hat:8`, `Rocky Linux:9`,
   * `AlmaLinux:9`, `PyPI`, `npm`, `Maven`, `Go`, `crates.io`, `NuGet`, `Packagist`, `RubyGems`; `cpe` for names of
   * the CPE dictionary; `vendor` for free-text names `vendor:product` (lower case) of the CVE list where it has no
   * better name. Additional streams of a release keep the feed's name: `Ubuntu:Pro:22.04`, `Red Hat:rhel_eus:9.2`.
   */
  readonly ecosystem: string
  /** The package as the ecosystem spells it (PyPI: normalised as PEP 503 has it); `part:vendor:product` for `cpe`. */
  readonly package: string
  /** Whether a distribution's package name is that of a source or a binary package. */
  readonly names: 'source' | 'binary'
  readonly verdict: 'affected' | 'not_affected' | 'under_investigation' | 'will_not_fix'
  /** A version is affected if it is in one of the ranges or equals one of the versions. Both empty: every version. */
  readonly ranges: readonly VersionRange[]
  readonly versions: readonly string[]
  /** Other fields of the CPE than part, vendor, product and version, where they are neither `*` nor missing. */
  readonly cpe?: Readonly<
    Partial<Record<'update' | 'edition' | 'targetSw' | 'targetHw' | 'swEdition', string | undefined>>
  >
  /** Only this module stream, such as `ruby:3.3`: the streams of a module have the same package names. */
  readonly module?: string
  /** Only on one of these platforms: `part:vendor:product` of the CPE dictionary. */
  readonly runningOn?: readonly string[]
  /** The distribution's own severity for its package. */
  readonly severity?: Severity
  /** The advisory that published the fix. */
  readonly fixedBy?: string
}

/** From `introduced` (absent: no lower bound) up to `fixed`, exclusive, or `lastAffected`, inclusive. */
export interface VersionRange {
  readonly introduced?: string
  /** `introduced` itself is not affected. */
  readonly isAfterIntroduced?: true
  readonly fixed?: string
  readonly lastAffected?: string
}

/** An entry of CISA's Known Exploited Vulnerabilities (KEV) catalogue. */
export interface KevEntry {
  readonly cveId: string
  /** `YYYY-MM-DD`. */
  readonly addedOn: string
  readonly dueOn?: string
  readonly isByRansomware: boolean
}

/** An EPSS score by FIRST: the probability of exploitation within 30 days. */
export interface EpssScore {
  readonly cveId: string
  /** 0 to 1. */
  readonly epss: number
  readonly percentile: number
}

/** Maintenance periods of a product's releases, from endoflife.date. */
export interface Lifecycle {
  /** As endoflife.date names it: `ubuntu`, `python`. */
  readonly product: string
  readonly label: string
  /** CPE names and package URLs (both without version), and names that Repology knows it by. */
  readonly identifiers: readonly { readonly kind: 'cpe' | 'purl' | 'repology'; readonly id: string }[]
  readonly releases: readonly Release[]
}

export interface Release {
  /** Prefix of the versions that belong to the release, such as `22.04` or `3.12`. */
  readonly cycle: string
  readonly label: string
  /** Dates are `YYYY-MM-DD`. */
  readonly releasedOn?: string
  /** End of security support; absent while none is set, or when only the fact is known. */
  readonly endsOn?: string
  /** Whether support has ended, where no date is given. */
  readonly isEnded?: boolean
  /** End of paid extended support. */
  readonly extendedUntil?: string
  readonly latest?: string
  readonly isLongTerm: boolean
}
