/** The topic of commits after which a bulk change of the tenant has news. */
export const bulkChangeTopic = (tenantId: string): string => `bulk changes ${tenantId}`
