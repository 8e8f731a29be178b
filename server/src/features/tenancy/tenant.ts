export interface Tenant {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly createdAt: string
}
