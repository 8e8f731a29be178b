import { matchingAssetIds } from '#features/assets/assets.ts'
import type { Condition, Value } from '#platform/conditions/condition.ts'
import type { Ctx } from '#platform/context.ts'
import { unreachable } from '#platform/errors.ts'
import type { Move } from './moves-over-histories.ts'

const DAY_MS = 86_400_000
const IDS_AT_ONCE = 5_000
/** More members of one day than that are left out. */
const MEMBERS_MAX = 50_000

/**
 * When assets began or ceased to match because time passed, to the day: of each day since then the condition is asked
 * as if it were now, of assets as they are now. Such an asset fell silent, or its warranty came near its end.
 */
export async function movesOverTime(
  ctx: Ctx,
  where: string,
  ...[since, signal]: [Date, AbortSignal]
): Promise<(Move & { readonly assetId: string })[]> {
  const moves: (Move & { readonly assetId: string })[] = []
  const until = ctx.now().getTime()
  let before = await membersAt(ctx, where, since.getTime())
  for (let atMs = since.getTime() + DAY_MS; atMs <= until; atMs += DAY_MS) {
    signal.throwIfAborted()
    const members = await membersAt(ctx, where, atMs)
    for (const assetId of members) if (!before.has(assetId)) moves.push({ atMs, move: 'enter', assetId })
    for (const assetId of before) if (!members.has(assetId)) moves.push({ atMs, move: 'leave', assetId })
    before = members
  }
  return moves
}

async function membersAt(ctx: Ctx, where: string, atMs: number): Promise<Set<string>> {
  const then: Ctx = { ...ctx, now: () => new Date(atMs) }
  const members = new Set<string>()
  let after: string | undefined
  do {
    const ids = await matchingAssetIds(then, where, { limit: IDS_AT_ONCE, after })
    for (const id of ids) members.add(id)
    after = ids.length === IDS_AT_ONCE ? ids.at(-1) : undefined
  } while (after !== undefined && members.size < MEMBERS_MAX)
  return members
}

/** Whether the condition can become true by the passing of time: it has a span such as -30d. */
export function asksAboutTime(condition: Condition): boolean {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.some(asksAboutTime)
    case 'not':
    case 'named':
    case 'any':
    case 'no':
    case 'count':
      return asksAboutTime(condition.part)
    case 'compare':
      return isSpan(condition.value)
    case 'in':
      return condition.values.some(isSpan)
    case 'has':
    case 'word':
      return false
    default:
      return unreachable(condition)
  }
}

const isSpan = ({ type }: Value): boolean => type === 'span'
