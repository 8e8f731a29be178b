export const metrics = ['device', 'user', 'core', 'site', 'concurrent'] as const
export type Metric = (typeof metrics)[number]

/** Terms of contracts and entitlements alike. Dates are `YYYY-MM-DD`, a cost is a decimal in `currency` (ISO 4217). */
export interface Terms {
  readonly begins: string | null
  readonly ends: string | null
  readonly cost: string | null
  readonly currency: string | null
  readonly notes: string | null
}

/** What was agreed with a supplier. */
export interface Contract extends Terms {
  readonly id: string
  readonly name: string
  readonly supplier: string | null
  /** The supplier's number of it. */
  readonly number: string | null
}

/** The right to use a product so many times. */
export interface Entitlement extends Terms {
  readonly id: string
  readonly product: string
  readonly vendor: string | null
  readonly metric: Metric
  /** Null: without limit. */
  readonly count: number | null
  /** The first and last version that it covers; null: any. */
  readonly versionFrom: string | null
  readonly versionTo: string | null
  readonly contractId: string | null
}

export interface CountedEntitlement extends Entitlement {
  readonly contract: string | null
  /** How many uses are assigned. */
  readonly used: number
}

export interface EntitlementUse {
  readonly id: string
  /** Either an asset or a person. */
  readonly assetId: string | null
  readonly assetName: string | null
  readonly person: string | null
  readonly assignedAt: string
}
