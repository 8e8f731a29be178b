export interface Source {
  /** `sweep`, `csv`, `nmap-xml`, `agent` and so on: it decides the precedence of values and is part of event payloads. */
  readonly kind: string
  /** What people call it. */
  readonly name: string
  /** Tells sources of one kind apart, at most 255 characters; the name unless given. With a key the name may change. */
  readonly key?: string
}

/** A source that has submitted observations. */
export interface ConnectedSource extends Source {
  readonly id: string
  /** Time of the first submit, RFC 3339. */
  readonly connectedAt: string
}

export interface SubmitResult {
  /** Observations accepted: the sum of the three below. */
  readonly observed: number
  /** Created a new asset. */
  readonly created: number
  /**
   * Changed visible values of an existing asset: its name, type, addresses, system, maker, model, serial, tags or
   * current identifiers, or which assets are one.
   */
  readonly updated: number
  /** Changed none of these: repeated or known values, or facts such as open ports alone. */
  readonly unchanged: number
  readonly rejected: readonly Rejected[]
}

export interface Rejected {
  /** Place of the observation among those submitted, from 0. */
  readonly index: number
  readonly field: string
  readonly message: string
}
