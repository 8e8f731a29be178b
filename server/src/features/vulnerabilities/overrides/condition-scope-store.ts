import { sql, type RawBuilder } from 'kysely'
import { ConditionError } from '#platform/conditions/condition-error.ts'
import type { Condition } from '#platform/conditions/condition.ts'
import { parseCondition } from '#platform/conditions/parse.ts'
import type { Subject } from '#platform/conditions/subject.ts'
import { conditionSql } from '#platform/conditions/compiling/to-sql.ts'
import { readCondition } from '#platform/conditions/with-condition.ts'
import type { Ctx } from '#platform/context.ts'
import { invalid, unreachable } from '#platform/errors.ts'

/**
 * Conditions on assets as scopes of overrides. Who writes one needs the permission to read its fields; afterwards it is
 * evaluated with every field, whoever causes it. Archived assets are meant as well, so that archiving changes no scope.
 * An override whose condition can no longer be read, as after a custom field was deleted, applies to nothing.
 */

/** What overrides change: an override that depended on it would switch itself off. */
const CHANGED_FIELDS: readonly string[] = ['risk', 'open_findings']
const CHANGED_COLLECTION = 'finding'

/** Throws 400, which names `condition`, for what cannot be read, and for conditions on findings and risk. */
export async function checkCondition(ctx: Ctx, text: string): Promise<void> {
  const condition = readCondition(await ctx.conditions.on(ctx, 'asset'), 'condition', text)
  if (dependsOnOverrides(condition))
    throw invalid('condition', 'must not ask about findings or risk, which overrides change')
}

function dependsOnOverrides(condition: Condition): boolean {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.some(dependsOnOverrides)
    case 'not':
    case 'named':
      return dependsOnOverrides(condition.part)
    case 'any':
    case 'no':
    case 'count':
      return condition.collection.name === CHANGED_COLLECTION
    case 'word':
      return false
    case 'compare':
    case 'in':
    case 'has':
      return CHANGED_FIELDS.includes(condition.field.name)
    default:
      return unreachable(condition)
  }
}

/** A statement that selects the ids of the assets for which the condition is true. */
export async function assetsWhere(ctx: Ctx, text: string): Promise<RawBuilder<unknown>> {
  const subject = await assetSubject(ctx)
  return sql`select ${subject.id} from ${subject.from} where ${await holds(ctx, subject, { text, isOfFew: false })}`
}

/** Pairs in two columns: an override, and an asset for which its condition is true. */
export interface ConditionsMet {
  readonly overrideIds: readonly string[]
  readonly assetIds: readonly string[]
}

/** For the assets of these findings and the active overrides of their CVEs; one statement for each distinct condition. */
export async function conditionsMet(ctx: Ctx, findingIds: readonly string[]): Promise<ConditionsMet> {
  const asked = await ctx.db.all(sql<{ id: string; condition: string; assetIds: string[] }>`
    select o.id, o.condition, array_agg(f.asset_id::text) as "assetIds"
    from finding_overrides o join findings f on f.tenant_id = ${ctx.tenantId} and f.cve_id = o.cve_id
    where o.tenant_id = ${ctx.tenantId} and o.state = 'active' and o.condition is not null
      and f.id = any(${[...findingIds]}::uuid[])
    group by o.id, o.condition`)
  if (asked.length === 0) return { overrideIds: [], assetIds: [] }
  const subject = await assetSubject(ctx)
  const pairs: { readonly overrideId: string; readonly assetId: string }[] = []
  for (const [condition, overrides] of Map.groupBy(asked, (it) => it.condition)) {
    const wanted = [...new Set(overrides.flatMap((it) => it.assetIds))]
    const rows = await ctx.db.all(sql<{ id: string }>`
      select ${subject.id} as id from ${subject.from}
      where ${subject.id} = any(${wanted}::uuid[]) and ${await holds(ctx, subject, { text: condition, isOfFew: true })}`)
    for (const { id: overrideId } of overrides)
      pairs.push(...rows.map(({ id: assetId }) => ({ overrideId, assetId })))
  }
  return { overrideIds: pairs.map((it) => it.overrideId), assetIds: pairs.map((it) => it.assetId) }
}

const assetSubject = (ctx: Ctx): Promise<Subject> =>
  ctx.conditions.on({ ...ctx, actor: { ...ctx.actor, may: () => true } }, 'asset')

async function holds(
  ctx: Ctx,
  { vocabulary, where }: Subject,
  { text, isOfFew }: { readonly text: string; readonly isOfFew: boolean },
): Promise<RawBuilder<unknown>> {
  try {
    const condition = parseCondition(text, vocabulary)
    const isTrue = await conditionSql(condition, { now: ctx.now(), vocabulary, isFilter: true, isOfFew })
    return sql`${where} and ${isTrue}`
  } catch (error) {
    if (error instanceof ConditionError) return sql`${where} and false`
    throw error
  }
}
