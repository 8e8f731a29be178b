import type { RawAnswer } from '../probes/probe.ts'

/** What a scan saw of one host or machine. */
export interface ScanResult {
  readonly id: string
  /** An address or a host name; what the probe calls it where it has neither. */
  readonly host: string
  readonly name: string
  /** As understood: the observation that went into the inventory, without known secrets. */
  readonly read: unknown
  /** Something was left out because it is too much to keep here; the inventory has it. */
  readonly isCut: boolean
  /** As the host said it, part by part. */
  readonly raw: readonly RawAnswer[]
  readonly seenAt: string
}
