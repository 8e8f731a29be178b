import { sql } from 'kysely'
import { listAssets, type Asset } from '#features/assets/assets.ts'
import type { Ctx } from '#platform/context.ts'
import type { TestApp } from '#test/support/app/test-app.ts'
import type { AgentKind } from './agent.ts'
import { createToken } from './agents.ts'
import type { NewToken } from './tokens/enrolment-token.ts'

export interface Enrolled {
  readonly ctx: Ctx
  readonly secret: string
  readonly tokenId: string
  /** For agents: `http://127.0.0.1:41234/t/rce_…`. */
  readonly address: string
}

/** A new tenant with an enrolment token that admits agents of every kind. */
export async function enrolled(app: TestApp, input: Partial<NewToken> = {}): Promise<Enrolled> {
  const ctx = await app.newTenant()
  const { token, secret } = await createToken(ctx, { name: 'fleet', kind: 'both', uses: 10, ...input })
  return { ctx, secret, tokenId: token.id, address: `${await app.address()}/t/${secret}` }
}

export const assetsOf = async (ctx: Ctx): Promise<readonly Asset[]> =>
  (await listAssets(ctx, { limit: 50, offset: 0 })).items

export interface InstalledRow {
  readonly origin: string
  readonly name: string
  readonly version: string
}

/** Software that is installed now, as agents of a kind report it, by name. */
export const installedIn = (ctx: Ctx, kind: AgentKind): Promise<InstalledRow[]> =>
  ctx.db.all(sql<InstalledRow>`
    select s.origin, s.name, s.version from sources c
    join asset_observations o on o.tenant_id = c.tenant_id and o.source_id = c.id
    join software_sets x on x.tenant_id = c.tenant_id and x.observation_id = o.id
    join software s on s.tenant_id = c.tenant_id and s.id = any(x.ids)
    where c.tenant_id = ${ctx.tenantId} and c.kind = ${kind} and x.origin <> 'os' order by s.name`)

export const eventsOf = async (ctx: Ctx, type: string): Promise<Record<string, unknown>[]> => {
  const rows = await ctx.db.all(sql<{ body: Buffer }>`
    select body from events where tenant_id = ${ctx.tenantId} and type = ${type} order by created_at, id`)
  return rows.map(({ body }) => JSON.parse(body.toString('utf8')) as Record<string, unknown>)
}

/** Whether the text stands anywhere in the database, in bytes too. */
export async function isStoredAnywhere(app: TestApp, text: string): Promise<boolean> {
  const { db } = app.runtime.system
  const names = await db.all(sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and has_table_privilege(c.oid, 'select')`)
  const hex = Buffer.from(text).toString('hex')
  for (const { name } of names) {
    const found = await db.maybe(sql`
      select 1 from ${sql.table(name)} t
      where strpos(to_jsonb(t)::text, ${text}) > 0 or strpos(to_jsonb(t)::text, ${hex}) > 0 limit 1`)
    if (found) return true
  }
  return false
}
