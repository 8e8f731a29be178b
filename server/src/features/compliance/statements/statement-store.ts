import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#platform/context.ts'
import type { Statement, StatementRow, StatementState } from './statement.ts'

const columns = sql`id, framework, version, state, created_at as "createdAt", created_by_name as "createdByName",
  submitted_at as "submittedAt", submitted_by as "submittedBy", submitted_by_name as "submittedByName",
  approved_at as "approvedAt", approved_by_name as "approvedByName", approved_role as "approvedRole",
  encode(digest, 'hex') as digest`

/** The newest first; of a framework alone if given. */
export function statements(ctx: Ctx, framework: string | null): Promise<Statement[]> {
  return ctx.db.all(sql<Statement>`
    select ${columns} from compliance_statements
    where tenant_id = ${ctx.tenantId} and (${framework}::text is null or framework = ${framework})
    order by framework, version desc limit 500`)
}

export function statement(ctx: Ctx, id: string): Promise<Statement | undefined> {
  return ctx.db.maybe(sql<Statement>`
    select ${columns} from compliance_statements where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export async function lockStatement(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`
    select from compliance_statements where tenant_id = ${ctx.tenantId} and id = ${id} for update`)
}

/** As it was approved; null: it was not. */
export async function content(ctx: Ctx, id: string): Promise<Buffer | null> {
  const row = await ctx.db.maybe(sql<{ content: Buffer | null }>`
    select content from compliance_statements where tenant_id = ${ctx.tenantId} and id = ${id}`)
  return row?.content ?? null
}

export async function add(ctx: Ctx, it: Pick<Statement, 'id' | 'framework' | 'version'>): Promise<void> {
  await ctx.db.run(sql`
    insert into compliance_statements (tenant_id, id, framework, version, state, created_at, created_by_name)
    values (${ctx.tenantId}, ${it.id}, ${it.framework}, ${it.version}, 'draft', ${ctx.now()},
      ${ctx.actor.name ?? ctx.actor.id})`)
}

export async function setState(ctx: Ctx, id: string, state: StatementState): Promise<void> {
  await ctx.db.run(sql`
    update compliance_statements set state = ${state} where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export async function submit(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.run(sql`
    update compliance_statements set state = 'in_review', submitted_at = ${ctx.now()}, submitted_by = ${ctx.actor.id},
      submitted_by_name = ${ctx.actor.name ?? ctx.actor.id}
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** It takes the place of the one that was approved before; its bytes follow in the same transaction. */
export async function putInForce(
  ctx: Ctx,
  { id, framework }: Pick<Statement, 'id' | 'framework'>,
): Promise<void> {
  await ctx.db.run(sql`
    update compliance_statements set state = 'superseded'
    where tenant_id = ${ctx.tenantId} and framework = ${framework} and state = 'approved'`)
  await setState(ctx, id, 'approved')
}

export async function approve(
  ctx: Ctx,
  { id }: Pick<Statement, 'id'>,
  frozen: { readonly role: string; readonly digest: string; readonly content: Buffer },
): Promise<void> {
  await ctx.db.run(sql`
    update compliance_statements set approved_at = ${ctx.now()},
      approved_by_name = ${ctx.actor.name ?? ctx.actor.id}, approved_role = ${frozen.role},
      digest = decode(${frozen.digest}, 'hex'), content = ${frozen.content}
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

export function rows(ctx: Ctx, statementId: string): Promise<StatementRow[]> {
  return ctx.db.all(sql<StatementRow>`
    select control_id as "controlId", is_applicable as "isApplicable", justification, implementation, owner, measures,
      evidence, risks, ${day(sql`reviewed_on`)} as "reviewedOn", ${day(sql`next_review_on`)} as "nextReviewOn", is_new as "isNew"
    from compliance_statement_rows where tenant_id = ${ctx.tenantId} and statement_id = ${statementId}`)
}

export async function writeRows(
  ctx: Ctx,
  statementId: string,
  written: readonly StatementRow[],
): Promise<void> {
  await ctx.db.run(sql`
    insert into compliance_statement_rows as r (tenant_id, statement_id, control_id, is_applicable, justification,
      implementation, owner, measures, evidence, risks, reviewed_on, next_review_on, is_new)
    select ${ctx.tenantId}, ${statementId}, "controlId", "isApplicable", justification, implementation, owner, measures,
      evidence, risks, nullif("reviewedOn", '')::date, nullif("nextReviewOn", '')::date, "isNew"
    from json_to_recordset(${JSON.stringify(written)}::json) as n("controlId" text, "isApplicable" boolean,
      justification text, implementation text, owner text, measures text, evidence text, risks text,
      "reviewedOn" text, "nextReviewOn" text, "isNew" boolean)
    on conflict (tenant_id, statement_id, control_id) do update set is_applicable = excluded.is_applicable,
      justification = excluded.justification, implementation = excluded.implementation, owner = excluded.owner,
      measures = excluded.measures, evidence = excluded.evidence, risks = excluded.risks,
      reviewed_on = excluded.reviewed_on, next_review_on = excluded.next_review_on, is_new = excluded.is_new`)
}

/** YYYY-MM-DD; empty for none. */
const day = (column: RawBuilder<unknown>) => sql<string>`coalesce(to_char(${column}, 'YYYY-MM-DD'), '')`

/** Controls that approved statements say do not apply. */
export function excludedControls(
  ctx: Ctx,
): Promise<{ readonly framework: string; readonly controlId: string }[]> {
  return ctx.db.all(sql<{ framework: string; controlId: string }>`
    select s.framework, r.control_id as "controlId"
    from compliance_statements s
    join compliance_statement_rows r on r.tenant_id = ${ctx.tenantId} and r.statement_id = s.id
    where s.tenant_id = ${ctx.tenantId} and s.state = 'approved' and not r.is_applicable`)
}
