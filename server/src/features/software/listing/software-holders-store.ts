import { sql, type RawBuilder } from 'kysely'
import { isLimited, type Ctx } from '#platform/context.ts'

/** Rows `software_id, observation_id, asset_id`: by the index of sets, which only a function of another role can use. */
export const holdersOf = (ctx: Ctx, ids: readonly number[]): RawBuilder<unknown> =>
  isLimited(ctx)
    ? sql`(select held.id as software_id, o.id as observation_id, o.asset_id
        from asset_observations o join software_sets t on t.observation_id = o.id cross join unnest(t.ids) held (id)
        where o.tenant_id = ${ctx.tenantId} and t.tenant_id = ${ctx.tenantId} and held.id = any(${[...ids]}::bigint[]))`
    : sql`software_holders(${[...ids]}::bigint[])`
