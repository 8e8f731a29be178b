import type { Ctx } from '#platform/context.ts'
import { cidrsOf } from '../targets/address-span.ts'
import { readEntries } from '../targets/target-entries.ts'
import { aimOfScan, writeSwept } from './swept-networks-store.ts'

/** Notes which networks the sweep went through, without what was excluded; in the transaction that completes it. */
export async function noteSweep(ctx: Ctx, scanId: string): Promise<void> {
  const { spans } = readEntries(await aimOfScan(ctx, scanId))
  const networks = spans.flatMap(cidrsOf)
  if (networks.length > 0) await writeSwept(ctx, networks)
}
