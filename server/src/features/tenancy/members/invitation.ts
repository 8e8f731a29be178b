export interface Invitation {
  readonly id: string
  readonly email: string
  readonly role: { readonly id: string; readonly name: string }
  /** The address of who invited; null for the command line. */
  readonly invitedBy: string | null
  readonly createdAt: string
  /** Seven days after. */
  readonly expiresAt: string
  readonly isExpired: boolean
}

/** `token` is part of the link `/invitation#token`; it is answered here and never again. */
export interface IssuedInvitation {
  readonly id: string
  readonly email: string
  readonly token: string
}

/** What the invited see before they say yes. */
export interface InvitationPreview {
  readonly organisation: string
  readonly email: string
  readonly role: string
  /** Then they sign in first; else they choose a password. */
  readonly hasAccount: boolean
}
