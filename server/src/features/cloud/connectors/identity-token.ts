import { NIL_UUID } from '#platform/uuid.ts'

/** What a connection is called in identity tokens; providers must let in this subject alone. */
export const subjectOf = (tenantId: string, connectionId: string): string =>
  `tenant:${tenantId}:connection:${connectionId}`

/** Of no tenant. Whoever lets it in lets in every tenant of the installation. */
export const UNKNOWN_SUBJECT = subjectOf(NIL_UUID, NIL_UUID)
