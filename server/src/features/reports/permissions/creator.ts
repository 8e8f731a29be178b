import { grants, memberPermissions } from '#features/tenancy/tenancy.ts'
import type { Actor, Ctx } from '#platform/context.ts'
import type { Report } from '../report.ts'
import { isSeenBy } from '../report-within-limit.ts'

/** Whom a report is collected for: what they may read now, or why nothing is collected for them any more. */
export type Creator = { readonly may: Actor['may'] } | { readonly gone: string }

/**
 * Who made the report. A person has the permissions of now. Keys have no role, and no endpoint of theirs shows the
 * audit log: they may read everything else.
 */
export async function creatorOf(ctx: Ctx, report: Report): Promise<Creator> {
  const { kind, id } = report.createdBy
  if (kind === 'system') return { may: () => true }
  if (kind !== 'user') return { may: (permission) => permission !== 'audit:read' }
  const member = await memberPermissions(ctx, id)
  if (!member) return { gone: 'who made the report is no longer a member' }
  if (!isSeenBy(report, member)) return { gone: 'who made the report is limited to other assets now' }
  return { may: (permission) => grants(member.permissions, permission) }
}
