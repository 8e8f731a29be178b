import type { Ctx } from '#platform/context.ts'

/** NOTIFY topic of commits after which deliveries may be due. */
export const DUE = 'deliveries'

/** The same for one tenant. */
export const dueTopic = ({ tenantId }: Pick<Ctx, 'tenantId'>): string => `${DUE} ${tenantId}`
