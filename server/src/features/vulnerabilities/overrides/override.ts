import type { Severity } from '#features/advisories/advisory.ts'

/**
 * `severity` changes severity and score and leaves the finding open; every other kind takes it out of the open ones.
 */
export const overrideKinds = ['severity', 'accepted_risk', 'false_positive', 'not_affected', 'fixed'] as const
export type OverrideKind = (typeof overrideKinds)[number]

/** `proposed` waits for a second person. */
export const overrideStates = ['proposed', 'active', 'ended'] as const
export type OverrideState = (typeof overrideStates)[number]

/** Which findings: all of one CVE, or only those that satisfy every given condition. */
export interface OverrideScope {
  readonly cveId: string
  readonly findingId?: string | undefined
  /** Name of the software, without version. */
  readonly package?: string | undefined
  /** Only this version; absent: also later versions. */
  readonly version?: string | undefined
  /** On assets with this tag. */
  readonly tag?: string | undefined
  /** On assets for which this condition is true. */
  readonly condition?: string | undefined
}

export interface NewOverride extends OverrideScope {
  readonly kind: OverrideKind
  readonly severity?: Severity | undefined
  /** 0 to 10, only for kind `severity`. */
  readonly cvssScore?: number | undefined
  readonly reason: string
  /** RFC 3339; absent: until it is ended. */
  readonly expiresAt?: string | undefined
}

export interface Override {
  readonly id: string
  readonly kind: OverrideKind
  readonly state: OverrideState
  readonly cveId: string
  readonly findingId: string | null
  readonly package: string | null
  readonly version: string | null
  readonly tag: string | null
  readonly condition: string | null
  readonly severity: Severity | null
  readonly cvssScore: number | null
  readonly reason: string
  /** `person`, or the id of the VEX document it was imported from. */
  readonly origin: string
  readonly expiresAt: string | null
  readonly createdAt: string
  readonly createdBy: string
  readonly createdByName: string
  readonly approvedAt: string | null
  readonly approvedByName: string | null
  readonly endedAt: string | null
  readonly endedBecause: string | null
  /** Findings that it changes now; while proposed, the open findings that it would change. */
  readonly findings: number
}

export const scopeOf = ({
  cveId,
  findingId,
  package: name,
  version,
  tag,
  condition,
}: Override): OverrideScope => ({
  cveId,
  findingId: findingId ?? undefined,
  package: name ?? undefined,
  version: version ?? undefined,
  tag: tag ?? undefined,
  condition: condition ?? undefined,
})
