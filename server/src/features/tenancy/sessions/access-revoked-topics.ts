import type { Ctx } from '#platform/context.ts'

/** NOTIFY topic, sent by `afterCommit` when a session or the membership of the person has ended or changed. */
export const userAccessTopic = (userId: string): string => `access ${userId}`

/** The same for all people of a tenant: a role or the identity provider has changed. */
export const tenantAccessTopic = (tenantId: string): string => `access ${tenantId}`

/** Topics after which the permissions of the context must be checked again. */
export const accessTopicsOf = ({ tenantId, actor }: Ctx): readonly string[] => [
  userAccessTopic(actor.id),
  tenantAccessTopic(tenantId),
]
