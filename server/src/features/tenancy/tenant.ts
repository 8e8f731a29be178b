export interface Tenant {
  readonly id: string
  readonly slug: string
  readonly name: string
  /** Of invented data, to look around in. */
  readonly isDemo: boolean
  readonly createdAt: string
}
