import type { Rule } from '../advisory.ts'

/** Key for looking up rules: an ecosystem and a package name, as in `Rule`. */
export interface PackageKey {
  readonly ecosystem: string
  readonly package: string
}

/** The rules of one advisory for one package. Rejected and withdrawn advisories have none. */
export interface PackageRules extends PackageKey {
  /** Which feed, and its record: `debian`, `CVE-2024-6387`. */
  readonly feed: string
  readonly advisoryId: string
  /**
   * CVE ids of the advisory, or of its aliases when it has none; empty when there is no CVE id, and then the advisory's
   * own id stands for the vulnerability.
   */
  readonly cveIds: readonly string[]
  readonly isDisputed: boolean
  /** Each is evaluated on its own; see `Rule`. */
  readonly rules: readonly Omit<Rule, 'ecosystem' | 'package'>[]
}
