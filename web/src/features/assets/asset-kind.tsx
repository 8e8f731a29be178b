import type { AssetType, DeviceType } from '#api/generated/enums-and-inputs.ts'
import { AssetIcon } from './asset-icon.tsx'
import { typeName } from './asset-types.ts'
import { DeviceIcon } from './recognition/device-icon.tsx'
import { deviceTypeName } from './recognition/device-types.ts'

interface Kind {
  readonly assetType: AssetType
  readonly deviceType: DeviceType
}

/** What it is, as exactly as is known: `Printer` of a device that was recognised as one. */
export const kindName = ({ assetType, deviceType }: Kind): string =>
  assetType === 'device' && deviceType !== 'unknown' ? deviceTypeName(deviceType) : typeName(assetType)

export const KindIcon = ({ assetType, deviceType }: Kind) =>
  deviceType === 'unknown' ? <AssetIcon type={assetType} /> : <DeviceIcon type={deviceType} size={15} />
