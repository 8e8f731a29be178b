import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

/** Evidence as it was recorded; never changed. */

export interface Evidence {
  readonly id: string
  readonly framework: string
  readonly controlId: string
  /** Since when the status holds. */
  readonly effectiveOn: string
  readonly recordedAt: string
  /** SHA-256 of the canonical JSON, hexadecimal. */
  readonly digest: string
}

const columns = sql`id, framework, control_id as "controlId", effective_on as "effectiveOn",
  recorded_at as "recordedAt", encode(digest, 'hex') as digest`

export async function add(ctx: Ctx, it: Evidence, content: Buffer): Promise<void> {
  await ctx.db.run(sql`
    insert into compliance_evidence (tenant_id, id, framework, control_id, effective_on, recorded_at, digest, content)
    values (${ctx.tenantId}, ${it.id}, ${it.framework}, ${it.controlId}, ${it.effectiveOn}, ${it.recordedAt},
      decode(${it.digest}, 'hex'), ${content})`)
}

/** The newest first. */
export function evidenceOf(
  ctx: Ctx,
  { framework, controlId }: Pick<Evidence, 'framework' | 'controlId'>,
  limit: number,
): Promise<Evidence[]> {
  return ctx.db.all(sql<Evidence>`
    select ${columns} from compliance_evidence
    where tenant_id = ${ctx.tenantId} and framework = ${framework} and control_id = ${controlId}
    order by recorded_at desc, id desc limit ${limit}`)
}

/** Of each control of the frameworks the one recorded last, until the moment if given. */
export function lastEvidence(
  ctx: Ctx,
  frameworks: readonly string[],
  until: Date | undefined,
): Promise<Evidence[]> {
  return ctx.db.all(sql<Evidence>`
    select distinct on (framework, control_id) ${columns} from compliance_evidence
    where tenant_id = ${ctx.tenantId} and framework = any(${[...frameworks]}::text[])
      and (${until ?? null}::timestamptz is null or recorded_at < ${until ?? null}::timestamptz)
    order by framework, control_id, recorded_at desc, id desc`)
}

/** `content` is deflated. */
export function evidence(
  ctx: Ctx,
  id: string,
): Promise<(Evidence & { readonly content: Buffer }) | undefined> {
  return ctx.db.maybe(sql<Evidence & { content: Buffer }>`
    select ${columns}, content from compliance_evidence where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** Controls with a status of which nothing was recorded since then. */
export function controlsWithoutEvidence(
  ctx: Ctx,
  since: Date,
): Promise<{ readonly framework: string; readonly controlId: string }[]> {
  return ctx.db.all(sql<{ framework: string; controlId: string }>`
    select c.framework, c.control_id as "controlId" from compliance_control_states c
    where c.tenant_id = ${ctx.tenantId} and c.status <> 'not_assessed' and not exists (
      select from compliance_evidence e where e.tenant_id = ${ctx.tenantId} and e.framework = c.framework
        and e.control_id = c.control_id and e.recorded_at >= ${since})
    order by c.framework, c.control_id`)
}

/** To the change of the control that it was judged on. */
export async function linkToChange(ctx: Ctx, changeId: number, evidenceId: string): Promise<void> {
  await ctx.db.run(sql`
    update compliance_control_changes set evidence_id = ${evidenceId}
    where tenant_id = ${ctx.tenantId} and id = ${changeId}`)
}

/** SHA-256 over `<asset id> <f or u>` of all that a check does not find in order, by id, with line feeds between them. */
export async function digestOfResults(ctx: Ctx, checkId: string): Promise<string> {
  const { digest } = await ctx.db.one(sql<{ digest: string }>`
    select encode(sha256(convert_to(coalesce(string_agg(asset_id::text || ' ' || outcome::text, E'\\n' order by asset_id), ''),
      'UTF8')), 'hex') as digest
    from compliance_results where tenant_id = ${ctx.tenantId} and check_id = ${checkId}`)
  return digest
}
