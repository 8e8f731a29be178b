/** Client address, user agent and device token of a request. */
export interface ClientInfo {
  readonly address: string
  readonly userAgent: string
  /** What the browser says of itself as one in which somebody signed in before; see known-devices.ts. */
  readonly device?: string | undefined
}

/** One place where a person is signed in. */
export interface SessionInfo {
  readonly id: string
  readonly isCurrent: boolean
  readonly address: string
  readonly userAgent: string
  readonly createdAt: string
  readonly lastSeenAt: string
  readonly expiresAt: string
}

/** A live session and whose it is. */
export interface SignedIn {
  readonly sessionId: string
  readonly expiresAt: string
  readonly user: {
    readonly id: string
    readonly email: string
    readonly name: string
    readonly isManaged: boolean
    readonly hasSecondFactor: boolean
  }
  /** That the request names, else where the person was last; null when they are no member of it. */
  readonly tenant: { readonly id: string; readonly slug: string; readonly name: string } | null
  readonly role: { readonly id: string; readonly name: string } | null
  readonly permissions: readonly string[]
  /** The tenant whose provider opened it: good for nothing else. */
  readonly boundTo: string | null
  readonly address: string
}
