import type { BuiltIn } from '../roles/permissions.ts'

/** A member of the tenant. */
export interface Member {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: { readonly id: string; readonly name: string }
  /** The account belongs to this tenant's identity provider and has no password. */
  readonly isManaged: boolean
  readonly hasSecondFactor: boolean
  readonly joinedAt: string
  readonly lastSignedInAt: string | null
}

export interface StoredMember extends Omit<Member, 'role'> {
  readonly roleId: string
  readonly roleName: string
  readonly builtIn: BuiltIn | null
  readonly permissions: readonly string[]
}
