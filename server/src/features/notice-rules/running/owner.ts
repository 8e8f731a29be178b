import { grants, memberPermissions } from '#features/tenancy/tenancy.ts'
import { actingAs, type Ctx } from '#platform/context.ts'

/** The context of a member with the permissions and the limit they have now. Undefined: no longer a member. */
export async function asMember(ctx: Ctx, userId: string): Promise<Ctx | undefined> {
  const member = await memberPermissions(ctx, userId)
  if (!member) return undefined
  const { email, permissions, limitedTo } = member
  const may = (permission: string) => grants(permissions, permission)
  return actingAs(ctx, {
    kind: 'user',
    id: userId,
    name: email,
    may,
    ...(limitedTo !== null && { limitedTo }),
  })
}
