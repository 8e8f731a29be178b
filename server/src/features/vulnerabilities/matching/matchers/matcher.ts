import type { Rule } from '#features/advisories/advisory.ts'
import type { SoftwareOrigin } from '#features/assets/observation.ts'
import type { Grade } from '../../findings/finding.ts'

/** A way to tell whether a record speaks of what is installed. Pure: the rules are brought to it. */
export interface Matcher {
  readonly name: 'distribution' | 'package' | 'cpe'
  /** Under which names rules are looked for; empty when this way says nothing about it. */
  readonly keysOf: (installed: Installed) => readonly Key[]
  /** Of the claims found under one key. */
  readonly match: (installed: Installed, key: Key, claim: Claim) => Match | undefined
}

/** One distinct software, as far as matching looks at it. */
export interface Installed {
  /** `os`: the operating system itself. */
  readonly origin: SoftwareOrigin | 'os'
  /**
   * Where its name means something, as advisories call it: `Debian:12`, `PyPI`; empty where it means something to
   * nobody else.
   */
  readonly ecosystem: string
  readonly name: string
  readonly version: string
  readonly vendor?: string | undefined
  readonly source?: { readonly name: string; readonly version?: string | undefined } | undefined
  readonly purl?: string | undefined
  readonly cpe?: string | undefined
  /** What its name stands for in the CPE dictionary, as the curated names say. */
  readonly products?: readonly Product[] | undefined
}

/** A name of the CPE dictionary. */
export interface Product {
  /** `part:vendor:product` */
  readonly name: string
  /** The source names the vendor as well, and it is the same. */
  readonly isVendorSure: boolean
}

/** Where a rule is found. */
export interface Key {
  readonly ecosystem: string
  readonly package: string
  /** The version that rules found here are about. */
  readonly version: string
  readonly names?: Rule['names']
  /** For CPE names: evidence that the product is of that vendor. */
  readonly evidence?: VendorEvidence
}

/** The source names the vendor, or the display name contains it, or neither. */
export type VendorEvidence = 'vendor' | 'name' | 'none'

/** One rule, and what the record that holds it says of itself. */
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
  /** Only where this kernel runs, as `uname -r` prints it; empty: everywhere. */
  readonly kernel: string
  readonly derivation: Derivation
}

/** How a match came about, for people who doubt it. */
export interface Derivation {
  readonly by: Matcher['name']
  readonly feed: string
  readonly record: string
  readonly ecosystem: string
  readonly package: string
  /** Which versions the rule names. */
  readonly rule: string
  readonly algorithm: string
  readonly installedVersion: string
  readonly fixedVersion: string
  readonly fixedBy?: string
  /** What could have spoken against it and did not, or why it is no surer. */
  readonly notes: readonly string[]
}
