import type { BuiltIn } from './permissions.ts'

/** What a member may do in the tenant. */
export interface Role {
  readonly id: string
  readonly name: string
  /** Of every tenant, and changed by none. */
  readonly isBuiltIn: boolean
  readonly permissions: readonly string[]
  /** How many people have it. */
  readonly members: number
}

export interface StoredRole extends Omit<Role, 'isBuiltIn'> {
  readonly builtIn: BuiltIn | null
}

export interface NewRole {
  readonly name: string
  readonly permissions: readonly string[]
}
