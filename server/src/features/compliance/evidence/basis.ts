import { listFeeds } from '#features/advisories/advisories.ts'
import { catalogueMatched } from '#features/vulnerabilities/vulnerabilities.ts'
import type { Condition } from '#platform/conditions/condition.ts'
import { askingOnly, subjectRows } from '#platform/conditions/subject-rows.ts'
import type { Subject } from '#platform/conditions/subject.ts'
import { readCondition } from '#platform/conditions/with-condition.ts'
import type { Ctx } from '#platform/context.ts'
import { Refusal } from '#platform/errors.ts'
import type { Check } from '../checks/check.ts'
import { askedValues, type AskedValue } from './asked-values.ts'

/** What verdicts rest on: the facts that a check asks about, and the advisories that findings come from. */

/** Facts are read of at most so many failing assets of a check. */
export const FACTS_MAX = 50

/** By asset, as the database has them at this moment; none where the check cannot be read any more. */
export async function factsOfAssets(
  ctx: Ctx,
  check: Pick<Check, 'scope' | 'condition' | 'freshness'>,
  assetIds: readonly string[],
): Promise<ReadonlyMap<string, Readonly<Record<string, AskedValue>>>> {
  const subject = await ctx.conditions.on(ctx, 'asset')
  const conditions = conditionsOf(subject, check)
  if (conditions.length === 0 || assetIds.length === 0) return new Map()
  const rows = await subjectRows(ctx.db, askingOnly(subject, conditions), assetIds)
  const evaluation = { now: ctx.now(), vocabulary: subject.vocabulary }
  return new Map([...rows].map(([id, row]) => [id, askedValues(conditions, row, evaluation)]))
}

function conditionsOf(
  subject: Subject,
  { scope, condition, freshness }: Pick<Check, 'scope' | 'condition' | 'freshness'>,
): Condition[] {
  try {
    return [scope, condition, freshness]
      .filter((text) => text.trim() !== '')
      .map((text) => readCondition(subject, 'condition', text))
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

/** Null: no findings were ever looked for. Feeds that were never used are left out. */
export async function advisoriesUsed(ctx: Ctx) {
  const matched = await catalogueMatched(ctx)
  if (!matched) return null
  const feeds = (await listFeeds(ctx)).filter(({ syncedAt, records }) => syncedAt !== null || records > 0)
  return {
    /** Of the catalogue, up to which the organisation's software was compared with it. */
    generation: matched.generation,
    matched_at: matched.matchedAt,
    feeds: feeds.map(({ name, records, syncedAt, ageSeconds, isSample }) => ({
      name,
      records,
      read_at: syncedAt,
      age_seconds: ageSeconds,
      sample: isSample,
    })),
  }
}
