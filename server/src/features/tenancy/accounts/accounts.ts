import { record } from '#features/audit/audit.ts'
import type { Ctx } from '#platform/context.ts'
import * as store from './account-store.ts'
import type { Account } from './account.ts'

/** The system context with the person as actor, for changes of the account itself, which belongs to no single tenant. */
export function asUser(system: Ctx, person: Pick<Account, 'id' | 'email'>, address: string): Ctx {
  const actor = { kind: 'user', id: person.id, name: person.email, address, may: () => false } as const
  return { ...system, actor }
}

/**
 * Audits a change of an account in every tenant of the person, in a fixed order, because each entry locks the end of
 * its tenant's log.
 */
export async function recordInAllTenants(
  acting: Ctx,
  { id, email }: Pick<Account, 'id' | 'email'>,
  action: string,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const tenantIds = (await store.memberships(acting, id)).map((it) => it.id).toSorted()
  for (const tenantId of tenantIds)
    await record({ ...acting, tenantId }, action, { type: 'user', id }, { email, ...details })
}
