import type { StoredCondition } from '#platform/conditions/subject.ts'
import type { Ctx } from '#platform/context.ts'
import { draftAndPublished } from '../flow-store.ts'
import type { Definition, Step } from '../flow.ts'
import { vocabularyWith } from './flow-vocabulary.ts'

/** Of drafts and published versions of flows: triggers, conditions and steps. */
export async function storedConditions(ctx: Ctx): Promise<StoredCondition[]> {
  const all = await draftAndPublished(ctx)
  if (all.length === 0) return []
  const { vocabulary: assets } = await ctx.conditions.on(ctx, 'asset')
  return all.flatMap(({ id, name, definition }) => {
    const { trigger } = definition
    const flow = { kind: 'flow', id, name, permission: 'flows:read' }
    const vocabulary = vocabularyWith(assets, trigger)
    return [
      ...(trigger.kind === 'query' ? [{ ...flow, text: trigger.condition }] : []),
      ...conditionsIn(definition).map((text) => ({ ...flow, text, vocabulary })),
    ]
  })
}

const conditionsIn = ({ condition, steps }: Definition): string[] =>
  [condition, ...steps.flatMap(ofStep)].filter((text) => text.trim() !== '')

function ofStep(step: Step): string[] {
  const inner = [
    ...('steps' in step ? step.steps : []),
    ...('otherwise' in step ? step.otherwise : []),
  ].flatMap(ofStep)
  return step.action === 'if' && 'condition' in step ? [step.condition, ...inner] : inner
}
