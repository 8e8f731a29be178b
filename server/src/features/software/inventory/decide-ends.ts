import { assetsChanged } from '#features/assets/assets.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { endOfLife, endOfSystem, type EndOfLife, type Lifecycles } from '../end-of-life.ts'
import * as store from './ends-store.ts'

/** Where support has no date: `ended` is before and `supported` after all days that conditions can name. */
const WITHOUT_DATE = { ended: '1900-01-01', supported: '9999-12-31' } as const
const BATCH = 5_000

/**
 * Looks up when support ends for the operating systems and software of the tenant and writes what differs. `new`: for
 * those alone that were reported since the last time. Conditions ask `os_eol` and `software(eol …)` for it.
 */
export async function decideEnds(ctx: Ctx, lifecycles: Lifecycles, which: 'all' | 'new'): Promise<void> {
  const isAll = which === 'all'
  const today = ctx.now().toISOString().slice(0, 'YYYY-MM-DD'.length)
  const systems = (await store.systems(ctx, isAll)).map((it) => ({
    ...it,
    endsOn: dayOf(endOfSystem(lifecycles, it, today)),
  }))
  if (systems.length > 0)
    await atomically(ctx, async (inner) => {
      const assetIds = await store.writeSystems(inner, systems)
      if (assetIds.length > 0) await assetsChanged(inner, assetIds)
    })
  for (let last = 0; ;) {
    const batch = await store.softwareAfter(ctx, { last, limit: BATCH, isAll })
    const differing = batch.flatMap(({ isDecided, endsOn, ...software }) => {
      const day = dayOf(endOfLife(lifecycles, asked(software), today))
      return isDecided && day === endsOn ? [] : [{ id: software.id, endsOn: day }]
    })
    if (differing.length > 0) await atomically(ctx, (inner) => store.writeSoftware(inner, differing))
    last = batch.at(-1)?.id ?? last
    if (batch.length < BATCH) return
  }
}

const asked = (
  software: Omit<store.EndingSoftware, 'isDecided' | 'endsOn'>,
): Parameters<typeof endOfLife>[1] => ({ ...software }) as Parameters<typeof endOfLife>[1]

function dayOf(end: EndOfLife | undefined): string | null {
  if (!end) return null
  return end.endsOn ?? (end.isEnded ? WITHOUT_DATE.ended : WITHOUT_DATE.supported)
}
