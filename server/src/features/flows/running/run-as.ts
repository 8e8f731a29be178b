import { grants, memberPermissions } from '#features/tenancy/tenancy.ts'
import { systemActor, type Actor, type Ctx } from '#platform/context.ts'

/** Why nothing can be done as the person who published the flow. */
export const NOBODY =
  'the person it runs as is no longer a member, or is limited to some assets by a condition'

/**
 * Whoever the steps of a flow act as: a member with the permissions they have now. Undefined: no longer a
 * member, or limited to some assets by a condition, because steps act on the whole organisation.
 */
export async function runAsActor(ctx: Ctx, userId: string | null): Promise<Actor | undefined> {
  if (userId === null) return systemActor('flow')
  const member = await memberPermissions(ctx, userId)
  if (!member || member.limitedTo !== null) return undefined
  return {
    kind: 'user',
    id: userId,
    name: member.email,
    may: (permission) => grants(member.permissions, permission),
  }
}
