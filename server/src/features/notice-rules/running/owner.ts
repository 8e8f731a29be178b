import { grants, memberPermissions } from '#features/tenancy/tenancy.ts'
import type { Ctx } from '#platform/context.ts'

/** The context of a member with the permissions they have now. Undefined: no longer a member. */
export async function asMember(ctx: Ctx, userId: string): Promise<Ctx | undefined> {
  const member = await memberPermissions(ctx, userId)
  if (!member) return undefined
  const may = (permission: string) => grants(member.permissions, permission)
  return { ...ctx, actor: { kind: 'user', id: userId, name: member.email, may } }
}
