import type { Preferences } from '../accounts/account.ts'
import type { Tenant } from '../tenant.ts'

/** Client address, user agent and device token of a request. */
export interface ClientInfo {
  readonly address: string
  readonly userAgent: string
  /** Token of the device cookie, see known-devices.ts. */
  readonly device?: string | undefined
}

/** A session as listed to its owner. */
export interface SessionInfo {
  readonly id: string
  readonly isCurrent: boolean
  readonly address: string
  readonly userAgent: string
  readonly createdAt: string
  readonly lastSeenAt: string
  readonly expiresAt: string
}

/** An active session with its account. */
export interface SignedIn {
  readonly sessionId: string
  readonly expiresAt: string
  readonly user: {
    readonly id: string
    readonly email: string
    readonly name: string
    readonly isManaged: boolean
    readonly hasSecondFactor: boolean
    /** Organisations of their own. */
    readonly mayCreateTenants: boolean
    readonly preferences: Preferences
  }
  /** The tenant that the request names, else the tenant used last; null when the person is not a member of it. */
  readonly tenant: Pick<Tenant, 'id' | 'slug' | 'name' | 'isDemo'> | null
  readonly role: { readonly id: string; readonly name: string } | null
  readonly permissions: readonly string[]
  /** The condition of the role: only assets for which it is true are there. Null: all. */
  readonly limitedTo: string | null
  /**
   * The tenant whose identity provider opened the session, which is valid only there; null for a sign-in with
   * password.
   */
  readonly boundTo: string | null
  readonly address: string
}
