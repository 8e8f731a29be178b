/** The topic of commits after which a scan of the tenant has news. */
export const scanTopic = (tenantId: string): string => `scans ${tenantId}`
