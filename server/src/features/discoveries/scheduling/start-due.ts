import { atomically, type Ctx } from '#platform/context.ts'
import { getDiscovery, startDiscovery } from '../discoveries.ts'
import * as runStore from '../run-store.ts'
import * as store from '../store.ts'
import { scheduleNext } from './schedule-next.ts'

const LATE_MS_MAX = 24 * 60 * 60_000

/** One run for a due time, however late it is noticed, and none for a time that is not the discovery's any more. */
export async function startDue(
  ctx: Ctx,
  { discoveryId, dueAt }: { readonly discoveryId: string; readonly dueAt: string },
): Promise<void> {
  await atomically(ctx, async (inner) => {
    if (!(await store.lockDue(inner, discoveryId, new Date(dueAt)))) return
    const skipped = await reasonToSkip(inner, discoveryId, dueAt)
    if (skipped === '') await startDiscovery(inner, discoveryId, 'schedule')
    await store.noteSkipped(inner, discoveryId, skipped)
    await scheduleNext(inner, await getDiscovery(inner, discoveryId))
  })
}

async function reasonToSkip(ctx: Ctx, discoveryId: string, dueAt: string): Promise<string> {
  if (ctx.now().getTime() - Date.parse(dueAt) > LATE_MS_MAX)
    return `${dueAt}: nobody was there to start it for more than a day`
  if (await runStore.hasRunUnderWay(ctx, discoveryId)) return `${dueAt}: the run before was still under way`
  return ''
}
