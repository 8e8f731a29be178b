import type { Ctx } from '#platform/context.ts'
import type { About } from '../dataset/dataset.ts'
import type { ReportFormat } from '../report.ts'
import { fontsIn } from './operator-fonts.ts'
import * as store from './paper-store.ts'

export interface PrintOptions {
  /** What `About` says of it. */
  readonly about: Pick<About, 'paper' | 'fonts'>
  readonly notes: readonly string[]
}

/** Of formats that are not printed: nothing. */
export async function printOptions(ctx: Ctx, format: ReportFormat): Promise<PrintOptions> {
  if (format !== 'pdf') return { about: {}, notes: [] }
  const paper = await store.paper(ctx)
  const { fonts, notes } = await fontsIn(ctx.fontsFolder)
  return { about: { ...(paper !== 'a4' && { paper }), ...(fonts.length > 0 && { fonts }) }, notes }
}
