import { assetTypes, typeName } from '#features/assets/asset-types.ts'
import { deviceTypeName, deviceTypes } from '#features/assets/recognition/device-types.ts'

/** What a network can be meant for: types of devices, then those of other assets. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ...deviceTypes.filter((it) => it !== 'unknown').map((it) => [it, deviceTypeName(it)] as const),
  ...assetTypes.map((it) => [it, typeName(it)] as const),
])

export const networkTypeOptions = [...NAMES].map(([value, label]) => ({ value, label }))

/** `Server, Storage`. */
export const networkTypeNames = (types: readonly string[]): string =>
  types.map((it) => NAMES.get(it) ?? it).join(', ')

interface Meant {
  readonly networks: readonly string[]
  readonly networkTypes: readonly { readonly network: string; readonly types: readonly string[] }[]
}

/** Each network of a place with what it is meant for; none: nobody said it. */
export const meantTypes = ({ networks, networkTypes }: Meant) =>
  networks.map((network) => ({
    network,
    types: [...(networkTypes.find((it) => it.network === network)?.types ?? [])],
  }))
