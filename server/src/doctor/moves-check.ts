import { openMoves, type OpenMove } from '#platform/cells/moving/move-store.ts'
import type { Ctx } from '#platform/context.ts'
import { fail, warn, type Check } from './check.ts'

/** One line for each tenant that is on its way to another installation; none is, of most installations. */
export const moves = async (system: Ctx): Promise<Check[]> => (await openMoves(system)).map(move)

const ADVICE = 'Run rollcall tenant move again, or with --cancel, unless it is at work right now.'

function move({ slug, cell, seconds, isFrozen }: OpenMove): Check {
  const where = `${slug} on its way to cell ${cell}`
  return isFrozen
    ? fail('move', `${where}: not written to for ${spanOf(seconds)}`, ADVICE)
    : warn('move', `${where}: no jobs and deliveries for ${spanOf(seconds)}`, ADVICE)
}

const spanOf = (seconds: number): string =>
  seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} minutes`
