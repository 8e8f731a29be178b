import { isIP } from 'node:net'
import type { Ctx } from '#platform/context.ts'
import type { Progress } from '../probes/probe.ts'
import { cidrsOf, spanOfNetwork, spansWithout } from '../targets/address-span.ts'
import { readEntries } from '../targets/target-entries.ts'
import { aimOfScan, writeSwept } from './swept-networks-store.ts'

/**
 * Notes which networks the sweep went through, without what was excluded, what this machine had no route to, and where
 * nothing more was asked; in the transaction that completes it.
 */
export async function noteSweep(ctx: Ctx, scanId: string, notAsked: readonly string[]): Promise<void> {
  if (notAsked.includes('all')) return
  const { spans } = readEntries(await aimOfScan(ctx, scanId))
  const without = notAsked.flatMap((network) => spanOfNetwork(network) ?? [])
  const networks = spansWithout(spans, without).flatMap(cidrsOf)
  if (networks.length > 0) await writeSwept(ctx, networks)
}

/** Networks of which addresses may not have been asked, or `all`. Of devices that were asked no more the sweep knows that they live. */
export const notAskedIn = ({ unreachable = [], stops = [] }: Partial<Progress> = {}): string[] => [
  ...unreachable,
  ...stops.map(({ at }) => at).filter((at) => isIP(at) === 0),
]
