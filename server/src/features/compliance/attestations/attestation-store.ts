import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Listed } from '#platform/http/paging.ts'

/** That a control is met, as a person says it for a time. */
export interface Attestation {
  readonly id: string
  readonly framework: string
  readonly controlId: string
  readonly statement: string
  readonly validUntil: string
  readonly attestedAt: string
  readonly attestedByName: string
}

const columns = sql`id, framework, control_id as "controlId", statement, valid_until as "validUntil",
  attested_at as "attestedAt", attested_by_name as "attestedByName"`

export function attestationsInForce(ctx: Ctx): Promise<Attestation[]> {
  return ctx.db.all(sql<Attestation>`
    select ${columns} from compliance_attestations
    where tenant_id = ${ctx.tenantId} and withdrawn_at is null and valid_until > ${ctx.now()}`)
}

/** In force until a moment before `before`, the soonest to end first; of frameworks that are adopted. */
export async function endingBefore(ctx: Ctx, before: Date, limit: number): Promise<Listed<Attestation>> {
  const of = sql`from compliance_attestations t
    where tenant_id = ${ctx.tenantId} and withdrawn_at is null
      and valid_until > ${ctx.now()} and valid_until < ${before}
      and exists (select from compliance_adoptions a
        where a.tenant_id = ${ctx.tenantId} and a.framework = t.framework)`
  const items = await ctx.db.all(
    sql<Attestation>`select ${columns} ${of} order by valid_until, id limit ${limit}`,
  )
  const { total } = await ctx.db.one(sql<{ total: number }>`select count(*) as total ${of}`)
  return { items, total }
}

/** Ends the one in force, whether or not its time is up; false: there was none. */
export async function withdraw(
  ctx: Ctx,
  { framework, controlId }: Pick<Attestation, 'framework' | 'controlId'>,
): Promise<boolean> {
  const rows = await ctx.db.all(sql`
    update compliance_attestations set withdrawn_at = ${ctx.now()}
    where tenant_id = ${ctx.tenantId} and framework = ${framework} and control_id = ${controlId}
      and withdrawn_at is null returning id`)
  return rows.length > 0
}

export async function add(ctx: Ctx, it: Attestation): Promise<void> {
  await ctx.db.run(sql`
    insert into compliance_attestations (tenant_id, id, framework, control_id, statement, valid_until, attested_at,
      attested_by_name)
    values (${ctx.tenantId}, ${it.id}, ${it.framework}, ${it.controlId}, ${it.statement}, ${it.validUntil},
      ${it.attestedAt}, ${it.attestedByName})`)
}
