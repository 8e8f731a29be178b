import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { IdentifierType, Observation } from './observation.ts'

/** For tests: short notation for observations, and readers of the resulting assets and events. */
export const MINUTE = 60_000
export const START = Date.parse('2026-01-05T08:00:00Z')

export const csv = { kind: 'csv', name: 'list' }
export const sweep = { kind: 'sweep', name: 'office' }
export const agent = { kind: 'agent', name: 'agents' }

type Values = Partial<Record<IdentifierType, string | readonly string[]>>
type More = Partial<Observation> & { readonly minute?: number }

export function seen(sourceKey: string, values: Values, { minute = 0, ...more }: More = {}): Observation {
  const identifiers = Object.entries(values).flatMap(([type, given]) =>
    [given].flat().map((value) => ({ type: type as IdentifierType, value })),
  )
  return { sourceKey, seenAt: new Date(START + minute * MINUTE), identifiers, ...more }
}

export interface AssetView {
  readonly id: string
  readonly name: string
  readonly keys: readonly string[]
}

/** All assets by name, each with the source keys of its observations. */
export function assetsOf(ctx: Ctx): Promise<AssetView[]> {
  return ctx.db.all(sql<AssetView>`
    select id, name, array(select source_key from asset_observations o where o.asset_id = a.id order by 1) as keys
    from assets a order by name, id`)
}

export async function observationIds(ctx: Ctx): Promise<Record<string, string>> {
  const rows = await ctx.db.all(
    sql<{ key: string; id: string }>`select source_key as key, id from asset_observations`,
  )
  return Object.fromEntries(rows.map(({ key, id }) => [key, id]))
}

/** The payloads of the tenant's events in order, with the type. */
export async function eventsOf(ctx: Ctx): Promise<Record<string, unknown>[]> {
  const rows = await ctx.db.all(sql<{ type: string; body: Buffer }>`
    select type, body from events where tenant_id = ${ctx.tenantId} order by created_at, ctid`)
  return rows.map(({ type, body }) => ({ type, ...(JSON.parse(body.toString()) as object) }))
}

export const typesOf = async (ctx: Ctx): Promise<unknown[]> => (await eventsOf(ctx)).map(({ type }) => type)

/** A context one second later, so that assets created with it are younger. */
export const later = (ctx: Ctx): Ctx => ({ ...ctx, now: () => new Date(ctx.now().getTime() + 1_000) })
