import { atomically, type Ctx } from '#platform/context.ts'
import { endInTransaction, getOverride } from './overrides.ts'
import * as store from './override-store.ts'
import * as statusStore from '../findings/finding-status-store.ts'

/** Ends overrides whose `expires_at` has passed; their findings are recomputed. */

const AT_ONCE = 100

export async function endExpired(system: Ctx): Promise<void> {
  for (const { id, tenantId } of await store.expired(system, AT_ONCE))
    await atomically({ ...system, tenantId }, async (inner) => {
      await statusStore.lockFindings(inner)
      const found = await getOverride(inner, id)
      if (found.state !== 'ended') await endInTransaction(inner, found, 'its time is up')
    })
}
