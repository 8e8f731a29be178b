import type { BuiltIn } from './permissions.ts'

/** A named set of permissions in the tenant. */
export interface Role {
  readonly id: string
  readonly name: string
  /** Exists in every tenant and cannot be changed. */
  readonly isBuiltIn: boolean
  readonly permissions: readonly string[]
  /** Number of members with this role. */
  readonly members: number
}

export interface StoredRole extends Omit<Role, 'isBuiltIn'> {
  readonly builtIn: BuiltIn | null
}

export interface NewRole {
  readonly name: string
  readonly permissions: readonly string[]
}
