import type { Rule } from '#features/advisories/advisory.ts'
import type { SoftwareOrigin } from '#features/assets/observation.ts'
import type { Grade } from '../../findings/finding.ts'

/** A method of matching rules with installed software. Pure: the caller looks up the rules. */
export interface Matcher {
  readonly name: 'distribution' | 'package' | 'cpe'
  /** The keys under which rules are looked up; empty when the matcher does not apply to this software. */
  readonly keysOf: (installed: Installed) => readonly Key[]
  /** Judges one claim found under `key`; undefined: not affected. */
  readonly match: (installed: Installed, key: Key, claim: Claim) => Match | undefined
}

/** One distinct software, with the fields that matching uses. */
export interface Installed {
  /** `os`: the operating system itself. */
  readonly origin: SoftwareOrigin | 'os'
  /** OSV ecosystem of the package name: `Debian:12`, `PyPI`; empty when the name belongs to none. */
  readonly ecosystem: string
  readonly name: string
  readonly version: string
  readonly vendor?: string | undefined
  readonly source?: { readonly name: string; readonly version?: string | undefined } | undefined
  readonly purl?: string | undefined
  readonly cpe?: string | undefined
  /** CPE products of the software, by the curated list of names and the catalogue. */
  readonly products?: readonly Product[] | undefined
}

/** A product of the CPE dictionary. */
export interface Product {
  /** `part:vendor:product` */
  readonly name: string
  /** The source reports the vendor as well, and it agrees with the CPE vendor. */
  readonly isVendorSure: boolean
}

/** Where rules are looked up, and which version they are compared with. */
export interface Key {
  readonly ecosystem: string
  readonly package: string
  /** The version to compare with the rules found under this key. */
  readonly version: string
  readonly names?: Rule['names']
  /** For CPE names: evidence that the product is from that vendor. */
  readonly evidence?: VendorEvidence
  /** The package of a distribution that lists fixes only; of what its feed speaks there, the feed alone decides. */
  readonly builtAs?: BuiltAs
}

export interface BuiltAs {
  readonly ecosystem: string
  readonly package: string
  /** Nothing is said of packages that the feed never mentions: then it may not be loaded. */
  readonly needsMention: boolean
}

/** The source names the vendor, or the display name contains it, or neither. */
export type VendorEvidence = 'vendor' | 'name' | 'none'

/** One rule with the metadata of its advisory. */
export interface Claim {
  readonly feed: string
  readonly record: string
  readonly cveIds: readonly string[]
  readonly isDisputed: boolean
  readonly rule: Rule
}

export interface Match {
  readonly grade: Grade
  readonly confidence: number
  /** Empty when none is known. */
  readonly fixedVersion: string
  /** The match holds only while this kernel runs, as `uname -r` prints it; empty: always. */
  readonly kernel: string
  readonly derivation: Derivation
}

/** How a match was derived, for display. */
export interface Derivation {
  readonly by: Matcher['name']
  readonly feed: string
  readonly record: string
  readonly ecosystem: string
  readonly package: string
  /** The affected versions of the rule as text. */
  readonly rule: string
  readonly algorithm: string
  readonly installedVersion: string
  readonly fixedVersion: string
  readonly fixedBy?: string
  /** Conditions that could not be verified, and reasons why the confidence is not higher. */
  readonly notes: readonly string[]
}
