import type { Attempt } from './attempt.ts'

/** Brings into the progress of the attempt where it asks no more and how it is slowed. What an attempt before said stays. */
export function restrain({ progress, governor, pace, sweepSlowed }: Attempt): void {
  progress.stops = governor.stops
  progress.slowed = [sweepSlowed, pace.slowed].filter(Boolean).join('; ') || progress.slowed
}
