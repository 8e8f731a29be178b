import type { ShippedPackage } from './shipped-packages.mjs'

export function billOfMaterials(of: {
  readonly version: string
  readonly platform: string
  readonly packages: readonly ShippedPackage[]
  readonly builtAt: string
}): object
