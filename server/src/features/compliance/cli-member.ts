import { membersByEmail } from '#features/tenancy/tenancy.ts'
import type { Ctx } from '#platform/context.ts'
import { invalid } from '#platform/errors.ts'

/** The owner of the machine says who it is; the audit log names the member. */
export async function asMember(ctx: Ctx, email: string | true | undefined): Promise<Ctx> {
  const name = String(email)
  const id = (await membersByEmail(ctx, [name])).get(name.toLowerCase())
  if (id === undefined) throw invalid('by', 'is no member of this organisation')
  return { ...ctx, actor: { ...ctx.actor, kind: 'user', id, name } }
}
