import { checkedLimit } from '#platform/conditions/limit.ts'
import type { Ctx } from '#platform/context.ts'
import { forbidden } from '#platform/errors.ts'
import { creatorOf } from './creator.ts'
import { mayReadType } from './permitted-sections.ts'
import type { Report } from '../report.ts'

/**
 * The context in which the rows of a report are collected: with the permissions and the condition of who made it.
 * Throws 403 where they may not read its main table any more, and 400 for a condition that cannot be read any more, so
 * that the generation fails and no empty report is taken for an answer.
 */
export async function creatorContext(ctx: Ctx, report: Report): Promise<Ctx> {
  const creator = await creatorOf(ctx, report)
  if ('gone' in creator) throw forbidden(creator.gone)
  if (!mayReadType(creator.may, report.type))
    throw forbidden('who made the report may not read what it shows any more')
  const asCreator = { ...ctx, actor: { ...ctx.actor, may: creator.may } }
  if (report.limitedTo === null) return asCreator
  await checkedLimit(ctx, 'asset', report.limitedTo)
  return asCreator.conditions.limit(asCreator, report.limitedTo)
}
