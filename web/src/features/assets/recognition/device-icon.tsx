import {
  Camera,
  CircleHelp,
  HardDrive,
  LaptopMinimal,
  Network,
  Printer,
  RadioTower,
  Router,
  Scale,
  Server,
  ShieldHalf,
  Thermometer,
  Wifi,
  type LucideIcon,
} from 'lucide-react'
import { createElement } from 'react'
import type { DeviceType } from '#api/generated/enums-and-inputs.ts'

const ICONS: Readonly<Record<DeviceType, LucideIcon>> = {
  workstation: LaptopMinimal,
  server: Server,
  router: Router,
  switch: Network,
  firewall: ShieldHalf,
  printer: Printer,
  camera: Camera,
  sensor: Thermometer,
  gateway: RadioTower,
  access_point: Wifi,
  load_balancer: Scale,
  storage: HardDrive,
  unknown: CircleHelp,
}

export const isDeviceType = (text: string): text is DeviceType => Object.hasOwn(ICONS, text)

interface DeviceIconProps {
  readonly type: DeviceType
  readonly size?: number
}

export const DeviceIcon = ({ type, size = 22 }: DeviceIconProps) =>
  createElement(ICONS[type], { size, strokeWidth: 1.6, 'aria-hidden': true })
