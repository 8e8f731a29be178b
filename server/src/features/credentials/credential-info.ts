import type { Bindings } from './credential-bindings.ts'
import type { Values } from './credential-kinds.ts'
import type { CredentialKind } from './credential.ts'

/** The readable part of a credential: no secret is ever returned. */
export interface CredentialInfo extends Bindings {
  readonly id: string
  readonly name: string
  readonly kind: CredentialKind
  /** What is no secret. */
  readonly settings: Values
  readonly port: number | null
  /** The server cannot open its secret. */
  readonly isCollectorOnly: boolean
  /** Collectors that can open it in place of the server. */
  readonly collectorIds: readonly string[]
  /** A person is asked before it goes to a host whose key or certificate nobody knows; never for what sends no secret. */
  readonly asksOnUnknownHost: boolean
  /** Shown to no host until then; null when it is in use. */
  readonly setAsideUntil: string | null
  readonly setAsideBecause: string | null
  /** Addresses where it was accepted, and refused, last. */
  readonly worksOn: number
  readonly refusedOn: number
  readonly lastUsedAt: string | null
  readonly lastAcceptedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}
