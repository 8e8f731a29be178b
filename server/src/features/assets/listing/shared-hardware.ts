import { permit, type Ctx } from '#platform/context.ts'
import * as store from './shared-hardware-store.ts'

/** One entry for the same machines, by the id that says most. */
export async function listSharedHardware(ctx: Ctx): Promise<store.SharedHardware[]> {
  permit(ctx, 'assets:read')
  const byMachines = new Map<string, store.SharedHardware>()
  for (const it of await store.sharedHardware(ctx)) {
    const machines = it.assets.map(({ id }) => id).join()
    if (!byMachines.has(machines)) byMachines.set(machines, it)
  }
  return [...byMachines.values()]
}
