import type { Ctx } from '../context.ts'
import { readCondition } from './with-condition.ts'

/**
 * A condition on the subjects that an actor shall be limited to: null for none, which is what an empty text means. Throws 400,
 * which names `where`, for one that cannot be read.
 */
export async function checkedLimit(
  ctx: Ctx,
  subject: string,
  text: string | null | undefined,
): Promise<string | null> {
  const condition = text?.trim()
  if (!condition) return null
  readCondition(await ctx.conditions.on(ctx, subject), 'where', condition)
  return condition
}
