import { sql } from 'kysely'
import type { Ctx } from '#platform/context.ts'

export type Texts = Readonly<Record<string, string>>

/** What is stored of one of our own agents between its reports. */
export interface SignedAgent {
  readonly id: string
  readonly sourceKey: string
  readonly tokenId: string
  readonly fingerprint: Texts
  readonly sectionHashes: Texts
  /** Sections as they were sent last, without software. */
  readonly sections: Readonly<Record<string, unknown>>
  readonly softwareOrigins: readonly string[]
  /** Nobody has approved it yet. */
  readonly isPending: boolean
}

/** Locked until the transaction ends. */
export const lockedAgent = (ctx: Ctx, id: string): Promise<SignedAgent | undefined> =>
  ctx.db.maybe(sql<SignedAgent>`
    select id, source_key as "sourceKey", token_id as "tokenId", fingerprint, section_hashes as "sectionHashes",
      content as sections, software_origins as "softwareOrigins", is_pending as "isPending"
    from agents where tenant_id = ${ctx.tenantId} and id = ${id} for update`)

export interface SignedAgentToAdd {
  readonly id: string
  readonly tokenId: string
  readonly name: string
  readonly version: string
  readonly address: string
  readonly fingerprint: Texts
  readonly isPending: boolean
}

export async function addAgent(ctx: Ctx, agent: SignedAgentToAdd): Promise<void> {
  const at = ctx.now()
  await ctx.db.run(sql`
    insert into agents (tenant_id, id, kind, device_id, source_key, token_id, name, version, address, fingerprint,
      is_pending, enrolled_at, first_seen_at, last_contact_at)
    values (${ctx.tenantId}, ${agent.id}, 'agent', ${agent.id}, ${agent.id}, ${agent.tokenId}, ${agent.name},
      ${agent.version}, ${agent.address}, ${JSON.stringify(agent.fingerprint)}::jsonb, ${agent.isPending},
      ${at}, ${at}, ${at})`)
}

/**
 * Takes back one revoked agent of exactly this hardware, and answers its id; undefined when there is none, or nothing is known
 * of the hardware. Its sections are sent anew.
 */
export async function reviveAgent(
  ctx: Ctx,
  { fingerprint, tokenId, isPending }: Pick<SignedAgentToAdd, 'fingerprint' | 'tokenId' | 'isPending'>,
): Promise<string | undefined> {
  if (Object.keys(fingerprint).length === 0) return undefined
  const revived = await ctx.db.maybe(sql<{ id: string }>`
    update agents set revoked_at = null, token_id = ${tokenId}, is_pending = ${isPending}, section_hashes = '{}'
    where tenant_id = ${ctx.tenantId} and id = (
      select id from agents
      where tenant_id = ${ctx.tenantId} and kind = 'agent' and revoked_at is not null
        and fingerprint = ${JSON.stringify(fingerprint)}::jsonb
      order by revoked_at desc limit 1 for update)
    returning id`)
  return revived?.id
}

export interface TakenReport {
  readonly name: string
  readonly version: string
  readonly address: string
  readonly fingerprint: Texts
  readonly sectionHashes: Texts
  readonly sections: SignedAgent['sections']
  readonly softwareOrigins: readonly string[]
  readonly observedFrom: string
}

export async function noteTaken(ctx: Ctx, id: string, report: TakenReport): Promise<void> {
  await ctx.db.run(sql`
    update agents set name = ${report.name}, version = ${report.version}, address = ${report.address},
      fingerprint = ${JSON.stringify(report.fingerprint)}::jsonb,
      section_hashes = ${JSON.stringify(report.sectionHashes)}::jsonb,
      content = ${JSON.stringify(report.sections)}::jsonb,
      software_origins = ${[...report.softwareOrigins]}::text[], last_contact_at = ${ctx.now()},
      last_report_at = ${ctx.now()}, observed_from = ${report.observedFrom}, problem = ''
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** Nothing changed: the large columns are left alone. */
export async function noteUnchanged(
  ctx: Ctx,
  id: string,
  { address, version, observedFrom }: Pick<TakenReport, 'address' | 'version' | 'observedFrom'>,
): Promise<void> {
  await ctx.db.run(sql`
    update agents set address = ${address}, version = ${version}, observed_from = ${observedFrom}, last_contact_at = ${ctx.now()}, last_report_at = ${ctx.now()}, problem = ''
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** A report came from a host that nobody has approved. */
export async function noteWaiting(
  ctx: Ctx,
  id: string,
  { address, version }: { readonly address: string; readonly version: string },
): Promise<void> {
  await ctx.db.run(sql`
    update agents set address = ${address}, version = ${version}, last_contact_at = ${ctx.now()}
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}

/** A report came that was not taken. */
export async function noteRefused(ctx: Ctx, id: string, problem: string): Promise<void> {
  await ctx.db.run(sql`
    update agents set last_contact_at = ${ctx.now()}, problem = ${problem}
    where tenant_id = ${ctx.tenantId} and id = ${id}`)
}
