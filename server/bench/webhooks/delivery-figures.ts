import type { DeliveryCost } from './delivery-cost.ts'
import type { Scene } from './webhook-installation.ts'

export interface DeliveryCase {
  /** Under which conditions. */
  readonly title: string
  /** No worker runs until the case starts one. */
  readonly startsWorkers?: true
  readonly measure: (scene: Scene, size: CaseSize) => Promise<DeliveryFigures>
}

export interface CaseSize {
  /** How long events come one by one. */
  readonly seconds: number
  /** How many deliveries are drained. */
  readonly deliveries: number
}

export interface DeliveryFigures extends DeliveryCost {
  readonly perSecond: number
  /** From the commit to the arrival; absent for backlogs. */
  readonly ms?: { readonly p50: number; readonly p99: number }
  readonly missing: number
  readonly duplicates: number
  /** Of a worker process that was started with the case. */
  readonly worker?: WorkerStart
  /** From each kill of the worker until the next arrival, with another one started at once. */
  readonly resumedMs?: readonly number[]
}

export interface WorkerStart {
  /** From the start of the process to the first arrival. */
  readonly ms: number
  /** The most memory that it had, by then and in all. */
  readonly megabytes: number
  readonly peakMegabytes: number
}
