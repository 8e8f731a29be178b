import { ConditionError } from '#platform/conditions/condition-error.ts'
import type { Condition } from '#platform/conditions/condition.ts'
import { evaluate } from '#platform/conditions/evaluate.ts'
import type { Vocabulary } from '#platform/conditions/field.ts'
import { parseCondition } from '#platform/conditions/parse.ts'
import { subjectRows } from '#platform/conditions/subject-rows.ts'
import type { Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'
import type { Definition } from '../flow.ts'
import type { RunContext } from '../running/run.ts'
import { asksAboutAsset, vocabularyWith } from './flow-vocabulary.ts'

/** A condition of a flow, and the run that it is asked about. */
export interface AskedCondition {
  readonly text: string
  readonly trigger: Definition['trigger']
  readonly assetId: string | null
  readonly context: RunContext
}

/** What is asked: whether it is true, where unknown is not; or why it can be read no more, such as a field that was deleted. */
export type Answer = { readonly holds: boolean } | { readonly fault: string }

/** An answer for each, whatever becomes of the others. The assets that they ask about are read as they are now. */
export async function answersTo(ctx: Ctx, asked: readonly AskedCondition[]): Promise<Answer[]> {
  const subject = await ctx.conditions.on(ctx, 'asset')
  const read = asked.map((it) => {
    if (it.text === '') return undefined
    const vocabulary = vocabularyWith(subject.vocabulary, it.trigger)
    return { ...it, vocabulary, condition: parsed(it.text, vocabulary) }
  })
  const ids = read.flatMap((it) =>
    it?.assetId && 'is' in it.condition && asksAboutAsset(it.condition.is) ? it.assetId : [],
  )
  const assets = ids.length === 0 ? undefined : await subjectRows(ctx.db, subject, [...new Set(ids)])
  return read.map((it) => {
    if (!it) return { holds: true }
    const { condition, vocabulary } = it
    if ('fault' in condition) return condition
    const { event, before } = it.context
    const row = { event, before, asset: it.assetId === null ? undefined : assets?.get(it.assetId) }
    return { holds: evaluate(condition.is, row, { now: ctx.now(), vocabulary }) === true }
  })
}

function parsed(
  text: string,
  vocabulary: Vocabulary,
): { readonly is: Condition } | { readonly fault: string } {
  try {
    return { is: parseCondition(text, vocabulary) }
  } catch (error) {
    if (error instanceof ConditionError) return { fault: error.message }
    throw error
  }
}

/** Whether each is true; unknown is not. Throws 400 `condition` when one can be read no more. */
export async function areTrue(ctx: Ctx, asked: readonly AskedCondition[]): Promise<boolean[]> {
  return (await answersTo(ctx, asked)).map((answer) => {
    if ('fault' in answer) throw invalid('condition', answer.fault)
    return answer.holds
  })
}
