import { occurringValues } from '#features/conditions/conditions.ts'
import { complete, type Completion } from '#platform/conditions/autocomplete.ts'
import { LENGTH_MAX } from '#platform/conditions/parse.ts'
import { withinTime } from '#platform/conditions/with-condition.ts'
import { permit, type Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import { vocabularyWith } from './flow-vocabulary.ts'
import { readTrigger } from './read-trigger.ts'

/**
 * What may stand at `cursor`, a number of characters from the beginning of `text`, in a condition of a flow with this
 * trigger. Throws `invalid`, which names the place.
 */
export async function completeCondition(
  ctx: Ctx,
  trigger: unknown,
  { text, cursor }: { readonly text: string; readonly cursor: number },
): Promise<Completion> {
  permit(ctx, 'flows:read')
  if (text.length > LENGTH_MAX) throw invalid('text', `must have at most ${LENGTH_MAX} characters`)
  if (cursor < 0 || cursor > text.length) throw invalid('cursor', `must be from 0 to ${text.length}`)
  const checked = await readTrigger(ctx, trigger)
  return withinTime(ctx, 'text', async (inner) => {
    const assets = await inner.conditions.on(inner, 'asset')
    return complete(
      text.slice(0, cursor),
      vocabularyWith(assets.vocabulary, checked),
      async (field, typed) => {
        const original = assets.vocabulary.fields.find(({ name }) => `asset.${name}` === field.name)
        return original ? occurringValues(inner, assets, original, typed) : []
      },
    )
  })
}
