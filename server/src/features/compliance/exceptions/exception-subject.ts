import { assetsById } from '#features/assets/assets.ts'
import { readCondition } from '#platform/conditions/with-condition.ts'
import type { Ctx } from '#platform/context.ts'
import { invalid, notFound } from '#platform/errors.ts'
import { isUuid } from '#platform/uuid.ts'
import { assessableControlOf } from '../catalogue/catalogue.ts'
import { allChecks } from '../checks/all-checks.ts'
import type { ExceptionSubject, NewException } from './exception.ts'

/** What an exception is from, and of which assets. */

const TAG_LENGTH_MAX = 512

type Given = Omit<NewException, 'reason' | 'owner' | 'expiresAt'>

/** Throws 404 for what is not there, and 400, which names the field, for what cannot be meant. */
export async function checkedSubject(ctx: Ctx, input: Given): Promise<ExceptionSubject> {
  const { checkId, framework, controlId } = input
  await checkAssets(ctx, input)
  if (checkId !== undefined) {
    if (framework !== undefined || controlId !== undefined)
      throw invalid('checkId', 'cannot be given together with a control')
    if (!(await allChecks(ctx)).some(({ id }) => id === checkId)) throw notFound('check')
    return { checkId }
  }
  if (framework === undefined || controlId === undefined)
    throw invalid('checkId', 'must name a check, unless framework and controlId name a control')
  if (!assessableControlOf(framework, controlId)) throw notFound('control')
  return { framework, controlId }
}

async function checkAssets(ctx: Ctx, { assetId, tag, where }: Given): Promise<void> {
  if (assetId !== undefined && (!isUuid(assetId) || (await assetsById(ctx, [assetId])).length === 0))
    throw notFound('asset')
  if (assetId !== undefined && tag !== undefined)
    throw invalid('tag', 'cannot be given together with an asset')
  if (where !== undefined && (assetId !== undefined || tag !== undefined))
    throw invalid('where', 'cannot be given together with an asset or a tag')
  if (tag !== undefined && (tag === '' || tag.length > TAG_LENGTH_MAX))
    throw invalid('tag', `must have 1 to ${TAG_LENGTH_MAX} characters`)
  if (where === undefined) return
  if (where.trim() === '') throw invalid('where', 'must say which assets are meant')
  readCondition(await ctx.conditions.on(ctx, 'asset'), 'where', where.trim())
}
