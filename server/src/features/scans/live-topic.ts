/** The topic of commits after which a scan of the tenant has news. */
export const newsOf = (tenantId: string): string => `scans ${tenantId}`
