/** Announced by `afterCommit` when the catalogue has changed. */
export const CATALOGUE_TOPIC = 'catalogue'
