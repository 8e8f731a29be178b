import type { Rule } from '../advisory.ts'

/** Where rules are looked up: an ecosystem and a package's name in it, as `Rule` has them. */
export interface PackageKey {
  readonly ecosystem: string
  readonly package: string
}

/** What one advisory says of one package. Rejected and withdrawn advisories say nothing and are not among them. */
export interface PackageRules extends PackageKey {
  /** Which feed, and its record: `debian`, `CVE-2024-6387`. */
  readonly feed: string
  readonly advisoryId: string
  /**
   * Of which vulnerabilities it speaks. Where the advisory names none, those of its aliases; empty when nobody gave
   * it a CVE id, and then the advisory's own id stands for the vulnerability.
   */
  readonly cveIds: readonly string[]
  readonly isDisputed: boolean
  /** Each decides for itself; see `Rule`. */
  readonly rules: readonly Omit<Rule, 'ecosystem' | 'package'>[]
}
