import { compareWithSource, type SourceComparison } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { formats } from '../formats/all.ts'

/** Of each side, so many are kept with the import; `rollcall source compare` lists all. */
const LISTED_MAX = 100

/** What an export of another inventory and all other sources missed; undefined for other files, and when nothing was taken. */
export async function comparisonOf(
  ctx: Ctx,
  { format, observed }: { readonly format?: string | null | undefined; readonly observed: number },
): Promise<SourceComparison | undefined> {
  const inventory = formats.find((it) => it.kind === format && it.isInventory)
  if (!inventory || observed === 0) return undefined
  return compareWithSource(ctx, { kind: inventory.kind, name: inventory.sourceName }, LISTED_MAX)
}
