import type { BuiltIn } from './permissions.ts'

/** A named set of permissions in the tenant. */
export interface Role {
  readonly id: string
  readonly name: string
  /** Exists in every tenant and cannot be changed. */
  readonly isBuiltIn: boolean
  readonly permissions: readonly string[]
  /** A condition: of the assets, members see only those for which it is true; null: all. */
  readonly where: string | null
  /** Number of members with this role. */
  readonly members: number
}

export interface StoredRole extends Omit<Role, 'isBuiltIn'> {
  readonly builtIn: BuiltIn | null
}

export interface NewRole {
  readonly name: string
  /** A condition on assets; absent, null or empty: members see all. */
  readonly where?: string | null | undefined
  readonly permissions: readonly string[]
}
