import type { Ctx } from '#platform/context.ts'

/** Announced by `afterCommit` when a session of the person has ended, or their place in a tenant is another. */
export const accessOfPerson = (userId: string): string => `access ${userId}`

/** The same for many in a tenant: when a role has changed, or the way in through its identity provider. */
export const accessInTenant = (tenantId: string): string => `access ${tenantId}`

/** After any of these whoever holds the context may hold it no longer. */
export const accessTopicsOf = ({ tenantId, actor }: Ctx): readonly string[] => [
  accessOfPerson(actor.id),
  accessInTenant(tenantId),
]
