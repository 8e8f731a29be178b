/**
 * Why a question got no answer. `silent`: nothing came; `closed`: the machine or the way says that nobody listens;
 * `refused`: the agent knows the one who asks and says no, or does not know him; `tooBig`, `noSuchName` and `failed`:
 * what the agent says of this one question; `spent`: the scan has taken as much as it may.
 */
export type FaultKind = 'silent' | 'closed' | 'refused' | 'tooBig' | 'noSuchName' | 'failed' | 'spent'

export class SnmpFault extends Error {
  override readonly name = 'SnmpFault'
  readonly kind: FaultKind
  /** Of `noSuchName`: which of the asked, counted from 0. */
  readonly index: number | undefined

  constructor(kind: FaultKind, message: string, index?: number) {
    super(message)
    this.kind = kind
    this.index = index
  }
}
