export interface Invitation {
  readonly id: string
  readonly email: string
  readonly role: { readonly id: string; readonly name: string }
  /** E-mail address of the inviting person; null for the command line. */
  readonly invitedBy: string | null
  readonly createdAt: string
  /** Seven days after it was issued. */
  readonly expiresAt: string
  readonly isExpired: boolean
}

/** `token` is part of the link `/invitation#token`; it is returned once. */
export interface IssuedInvitation {
  readonly id: string
  readonly email: string
  readonly token: string
}

/** Shown to the invited person before they accept. */
export interface InvitationPreview {
  readonly organisation: string
  readonly email: string
  readonly role: string
  /** Whether the address has an account: then the person signs in, else chooses a password. */
  readonly hasAccount: boolean
}
