import type { Ctx } from '#platform/context.ts'
import { isWithin, spanOfAddress } from './address-span.ts'
import type { Target } from './target.ts'
import { readEntries, type TargetEntries } from './target-entries.ts'
import { listTargets } from './targets.ts'

/**
 * Finds for an address the newest target that names it, not counting host names; undefined where none does. With scopes,
 * among the targets of these networks.
 */
export async function coveringTargets(
  ctx: Ctx,
): Promise<(address: string, scopes?: readonly string[]) => Target | undefined> {
  const targets = await listTargets(ctx)
  const read = targets.map((target) => ({ target, spans: readEntries(target).spans }))
  return (address, scopes) => {
    const span = spanOfAddress(address)
    const isThere = ({ target, spans }: (typeof read)[number]) =>
      span !== undefined && (scopes?.includes(target.scope) ?? true) && isWithin(span, spans)
    return read.find(isThere)?.target
  }
}

/** Whether an address lies within entries. Those that have host names may lead anywhere but to what they exclude. */
export function isRangeCovering(looksAt: TargetEntries): (address: string) => boolean {
  const { spans, names, excludedSpans } = readEntries(looksAt)
  return (address) => {
    const span = spanOfAddress(address)
    if (!span) return false
    return isWithin(span, spans) || (names.length > 0 && !isWithin(span, excludedSpans))
  }
}
