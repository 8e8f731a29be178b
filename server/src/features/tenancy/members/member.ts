import type { BuiltIn } from '../roles/permissions.ts'

/** A person in the tenant. */
export interface Member {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: { readonly id: string; readonly name: string }
  /** An account of this tenant's identity provider: it has no password here. */
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
