import { invalid, Refusal } from '#platform/errors.ts'
import type { Ctx } from '#platform/context.ts'
import { reportKinds } from '../kinds/all.ts'
import type { Report } from '../report.ts'
import { countAssets } from './collecting-store.ts'

/** A sheet for each of more assets is paper that nobody reads, and minutes of work. */
export const SHEETS_MAX = 20_000

type Wanted = Pick<Report, 'type' | 'format' | 'filter'>

const isTooLarge = ({ type, format }: Pick<Wanted, 'type' | 'format'>, assets: number): boolean =>
  format === 'pdf' && reportKinds[type].hasSheets === true && assets > SHEETS_MAX

const messageOf = (assets: number): string =>
  `a PDF with a sheet for each of ${assets} assets is too large: choose at most ${SHEETS_MAX}, another format, or the ` +
  'type custom, which lists them'

/** Fails the generation of a file with too many sheets. `assets`: how many are in its scope. */
export function refuseTooManySheets(report: Pick<Wanted, 'type' | 'format'>, assets: number): void {
  if (isTooLarge(report, assets)) throw new Refusal(500, 'report_too_large', messageOf(assets))
}

/** Tells people at once. To keys the contract promises that a report is accepted; its generation fails then. */
export async function refuseTooManySheetsNow(ctx: Ctx, report: Wanted): Promise<void> {
  if (ctx.actor.kind !== 'user' || report.format !== 'pdf' || !reportKinds[report.type].hasSheets) return
  const assets = await countAssets(ctx, report.filter.assetIds)
  if (isTooLarge(report, assets)) throw invalid('format', messageOf(assets))
}
