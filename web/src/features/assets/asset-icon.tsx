import { createElement } from 'react'
import type { AssetType } from '#api/generated/enums-and-inputs.ts'
import { iconOf } from './asset-types.ts'

interface AssetIconProps {
  readonly type: AssetType
  readonly size?: number
}

export const AssetIcon = ({ type, size = 15 }: AssetIconProps) =>
  createElement(iconOf(type), { size, strokeWidth: 1.7, 'aria-hidden': true })
