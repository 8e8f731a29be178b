import type { DiscoveryRow } from '#api/generated/discoveries.ts'

/** What the form is of: a new one, or one that is there; absent: it is closed. */
export type Edited = 'new' | DiscoveryRow | undefined
