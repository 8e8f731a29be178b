import { emit } from '#features/events/events.ts'
import { atomically, type Ctx } from '#platform/context.ts'
import { noteSweep } from '../results/note-sweep.ts'
import { scanTopic } from '../live-topic.ts'
import { after, type ScanStatus } from '../scan-status.ts'
import type { Scan } from '../scan.ts'
import * as store from '../store.ts'

interface ScanEnd extends Omit<store.Ending, 'status'> {
  /** Of a sweep that is completed: networks that were not asked, as `notAskedIn` has them; absent: none. */
  readonly notAsked?: readonly string[]
}

/**
 * Ends a scan, and tells it in the same transaction. SCAN_COMPLETED goes out for each of the three ways to end,
 * with `status` beside the fields of the contract, whose "a scan job finishes" names all three as finished.
 * Undefined when there was nothing to end.
 */
export function finishScan(
  ctx: Ctx,
  id: string,
  { notAsked = [], ...end }: ScanEnd,
): Promise<Scan | undefined> {
  return atomically(ctx, async (inner) => {
    const scan = await store.finish(inner, id, { ...end, status: statusAfter(end.move) })
    if (!scan) return undefined
    if (scan.type === 'sweep' && scan.status === 'completed') await noteSweep(inner, scan.id, notAsked)
    inner.db.afterCommit(scanTopic(inner.tenantId))
    const payload = {
      scan_id: scan.id,
      scan_type: scan.type,
      target: scan.targetAddress,
      status: scan.status,
      asset_count: scan.assetCount,
      duration_ms: scan.durationMs,
      completed_at: scan.finishedAt,
    }
    await emit(inner, [{ type: 'SCAN_COMPLETED', payload }])
    return scan
  })
}

const statusAfter = (move: store.Ending['move']): ScanStatus => after('running', move) as ScanStatus
