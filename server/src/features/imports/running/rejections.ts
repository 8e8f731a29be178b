import type { Rejection } from '../formats/format.ts'

/** Of what a file holds that is not taken, so much is told; all is counted. */
export const REJECTIONS_TOLD_MAX = 500

/** What of a file was not taken: the first of it, and how much it is. */
export interface RejectionSummary {
  readonly rejected: readonly Rejection[]
  readonly rejectedTotal: number
}

export class Rejections implements RejectionSummary {
  readonly rejected: Rejection[] = []
  rejectedTotal = 0

  add(rejection: Rejection): void {
    this.rejectedTotal++
    if (this.rejected.length < REJECTIONS_TOLD_MAX) this.rejected.push(rejection)
  }

  addAll({ rejected, rejectedTotal }: RejectionSummary): void {
    const untold = rejectedTotal - rejected.length
    for (const each of rejected) this.add(each)
    this.rejectedTotal += untold
  }
}
