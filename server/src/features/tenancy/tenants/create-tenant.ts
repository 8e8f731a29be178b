import { record } from '#features/audit/audit.ts'
import { atomically, permit, type Ctx } from '#platform/context.ts'
import { conflict, invalid } from '#platform/errors.ts'
import { checkedName } from '#platform/validation/checked-name.ts'
import * as roles from '../roles/role-store.ts'
import { isSlug } from '../tenant-slug.ts'
import * as store from '../tenant-store.ts'
import type { Tenant } from '../tenant.ts'

const NAME_LENGTH_MAX = 200

/** Needs a system context: no tenant can create another. */
export async function createTenant(
  system: Ctx,
  input: { slug: string; name?: string; isDemo?: boolean },
): Promise<Tenant> {
  permit(system, 'tenants:write')
  const { slug, isDemo = false } = input
  const name = input.name === undefined ? slug : checkedName('name', input.name, NAME_LENGTH_MAX)
  if (!isSlug(slug))
    throw invalid(
      'slug',
      'must be 1 to 63 lowercase letters, digits and hyphens, with no hyphen at either end',
    )
  return atomically(system, async (ctx) => {
    const tenant = await store.addTenant(ctx, { slug, name, isDemo })
    if (!tenant) throw conflict(`slug: ${slug} is taken`)
    const inside = { ...ctx, tenantId: tenant.id }
    await roles.addBuiltIn(inside)
    await record(inside, 'tenant.created', { type: 'tenant', id: tenant.id }, { slug })
    return tenant
  })
}
