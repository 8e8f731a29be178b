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
  readonly weaknesses: readonly string[]
  readonly references: readonly string[]
  readonly rules: readonly Rule[]
}

export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'informational'

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
   * Where the package's name means something: `Debian:12`, `Ubuntu:22.04`, `Alpine:v3.19`, `Red Hat:8`,
   * `Rocky Linux:9`, `AlmaLinux:9`, `PyPI`, `npm`, `Maven`, `Go`, `crates.io`, `NuGet`, `Packagist`, `RubyGems`, and
   * `cpe` for names of the CPE dictionary. `vendor` is for a vendor's and product's own words, `vendor:product` in
   * lower case, where the CVE list gives no better name. Streams beside the main one of a release keep the feed's
   * word: `Ubuntu:Pro:22.04`, `Red Hat:rhel_eus:9.2`.
   */
  readonly ecosystem: string
  /** The package as the ecosystem spells it (PyPI: normalised as PEP 503 has it); `part:vendor:product` for `cpe`. */
  readonly package: string
  /** What a distribution's name is the name of. */
  readonly names: 'source' | 'binary'
  readonly verdict: 'affected' | 'not_affected' | 'under_investigation' | 'will_not_fix'
  /** A version is affected when it lies in one of the ranges or is one of the versions. Both empty: every version. */
  readonly ranges: readonly VersionRange[]
  readonly versions: readonly string[]
  /** Other fields of the CPE than part, vendor, product and version, where they are neither `*` nor missing. */
  readonly cpe?: Readonly<
    Partial<Record<'update' | 'edition' | 'targetSw' | 'targetHw' | 'swEdition', string | undefined>>
  >
  /** Only of this module stream, `ruby:3.3`: streams of one module have the same package names. */
  readonly module?: string
  /** Only together with one of these platforms: `part:vendor:product` of the CPE dictionary. */
  readonly runningOn?: readonly string[]
  /** The distribution's own word on how bad it is there. */
  readonly severity?: Severity
  /** The advisory that brought the fix. */
  readonly fixedBy?: string
}

/** From `introduced` (absent: from the first) up to `fixed`, not included, or `lastAffected`, included. */
export interface VersionRange {
  readonly introduced?: string
  /** `introduced` itself is not affected. */
  readonly isAfterIntroduced?: true
  readonly fixed?: string
  readonly lastAffected?: string
}

/** Known to be exploited: CISA's catalogue. */
export interface KevEntry {
  readonly cveId: string
  /** `YYYY-MM-DD`. */
  readonly addedOn: string
  readonly dueOn?: string
  readonly isByRansomware: boolean
}

/** FIRST's estimate that it will be exploited within 30 days. */
export interface EpssScore {
  readonly cveId: string
  /** 0 to 1. */
  readonly epss: number
  readonly percentile: number
}

/** Until when releases of a product are maintained, as endoflife.date has it. */
export interface Lifecycle {
  /** As endoflife.date names it: `ubuntu`, `python`. */
  readonly product: string
  readonly label: string
  /** CPE names and package URLs (both without version), and names that Repology knows it by. */
  readonly identifiers: readonly { readonly kind: 'cpe' | 'purl' | 'repology'; readonly id: string }[]
  readonly releases: readonly Release[]
}

export interface Release {
  /** `22.04`, `3.12`: the beginning of the versions that belong to it. */
  readonly cycle: string
  readonly label: string
  /** Dates are `YYYY-MM-DD`. */
  readonly releasedOn?: string
  /** End of security support; absent while none is set, or when only the fact is known. */
  readonly endsOn?: string
  /** Without a date: whether the end has come. */
  readonly isEnded?: boolean
  /** End of what can be bought after that. */
  readonly extendedUntil?: string
  readonly latest?: string
  readonly isLongTerm: boolean
}
