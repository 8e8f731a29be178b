import { evaluate } from '#platform/conditions/evaluate.ts'
import { parseCondition } from '#platform/conditions/parse.ts'
import { subjectRows } from '#platform/conditions/subject-rows.ts'
import type { Ctx } from '#platform/context.ts'
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

/** Whether each condition is true; unknown is not. The assets that they ask about are read as they are now. */
export async function areTrue(ctx: Ctx, asked: readonly AskedCondition[]): Promise<boolean[]> {
  const subject = await ctx.conditions.on(ctx, 'asset')
  const read = asked.map((it) => {
    if (it.text === '') return undefined
    const vocabulary = vocabularyWith(subject.vocabulary, it.trigger)
    return { ...it, vocabulary, condition: parseCondition(it.text, vocabulary) }
  })
  const ids = read.flatMap((it) => (it?.assetId && asksAboutAsset(it.condition) ? it.assetId : []))
  const assets = ids.length === 0 ? undefined : await subjectRows(ctx.db, subject, [...new Set(ids)])
  return read.map((it) => {
    if (!it) return true
    const row = { event: it.context.event, asset: it.assetId === null ? undefined : assets?.get(it.assetId) }
    return evaluate(it.condition, row, { now: ctx.now(), vocabulary: it.vocabulary }) === true
  })
}
