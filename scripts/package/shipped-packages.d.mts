export interface ShippedPackage {
  readonly path: string
  readonly name: string
  readonly version: string
  readonly licence?: string
  readonly integrity?: string
  readonly isInstalled: boolean
}
export function shippedPackages(of: { readonly platform: string }): ShippedPackage[]
