import { compareWithSource, type SourceComparison } from '#features/sources/sources.ts'
import type { Ctx } from '#platform/context.ts'
import { formats } from '../formats/all.ts'

/** Of each side, so many are kept with the import; `rollcall source compare` lists all. */
const LISTED_MAX = 100

const NOT_MADE =
  'The file is imported; what each side missed could not be found out: the log of the server says why.'

export interface Compared {
  readonly comparison?: SourceComparison
  /** For the import: says when the comparison could not be made, and is empty otherwise. */
  readonly message: string
}

/**
 * What an export of another inventory and all other sources missed; nothing for other files, and when nothing was taken.
 * A comparison that fails is logged and left out: what was imported stays so. Throws only when the signal aborts.
 */
export async function comparisonOf(
  ctx: Ctx,
  { format, observed }: { readonly format?: string | null | undefined; readonly observed: number },
  signal?: AbortSignal,
): Promise<Compared> {
  const inventory = formats.find((it) => it.kind === format && it.isInventory)
  if (!inventory || observed === 0) return { message: '' }
  const source = { kind: inventory.kind, name: inventory.sourceName }
  try {
    return {
      comparison: await compareWithSource(ctx, source, { listedMax: LISTED_MAX, signal }),
      message: '',
    }
  } catch (error) {
    signal?.throwIfAborted()
    ctx.log.warn({ err: error, source: source.name }, 'an import could not be compared with other sources')
    return { message: NOT_MADE }
  }
}
