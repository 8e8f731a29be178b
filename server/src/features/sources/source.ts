export interface Source {
  /** `sweep`, `csv`, `nmap-xml`, `agent` and so on: it decides whose value wins and what receivers are told. */
  readonly kind: string
  /** Tells sources of one kind apart; the same name is the same source. */
  readonly name: string
}

/** A source that has brought something. */
export interface ConnectedSource extends Source {
  readonly id: string
  /** When it brought its first; RFC 3339. */
  readonly connectedAt: string
}

export interface SubmitResult {
  /** How many observations were taken: the sum of the three below. */
  readonly observed: number
  /** Made a new asset. */
  readonly created: number
  /**
   * Changed what is shown of an asset that existed: its name, type, addresses, system, maker, model, serial, tags or
   * current identifiers, or which assets are one.
   */
  readonly updated: number
  /** Told nothing new of that: the same again, what others had said already, or facts alone such as open ports. */
  readonly unchanged: number
  readonly rejected: readonly Rejected[]
}

export interface Rejected {
  /** Place of the observation among those submitted, from 0. */
  readonly index: number
  readonly field: string
  readonly message: string
}
