import type { DiscoveryRow } from '#api/generated/operations.ts'

/** What the form is of: a new one, or one that is there; absent: it is closed. */
export type Edited = 'new' | DiscoveryRow | undefined
