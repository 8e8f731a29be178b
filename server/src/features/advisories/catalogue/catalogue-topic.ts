/** Topic of `afterCommit` notifications when the catalogue has changed. */
export const CATALOGUE_TOPIC = 'catalogue'
