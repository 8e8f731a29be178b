import {
  CircleHelp,
  MapPin,
  Network,
  Router,
  Scale,
  Server,
  ShieldHalf,
  Waypoints,
  Wifi,
  type LucideIcon,
} from 'lucide-react'
import { assetTypes, iconOf, typeName } from '#features/assets/asset-types.ts'
import { deviceTypeName, deviceTypes } from '#features/assets/recognition/device-types.ts'

const ICONS: Readonly<Record<string, LucideIcon>> = {
  site: MapPin,
  subnet: Waypoints,
  segment: Waypoints,
  switch: Network,
  router: Router,
  firewall: ShieldHalf,
  server: Server,
  access_point: Wifi,
  load_balancer: Scale,
}

export function mapIconOf(type: string | null): LucideIcon {
  const asset = assetTypes.find((it) => it === type)
  return ICONS[type ?? ''] ?? (asset ? iconOf(asset) : CircleHelp)
}

export function mapTypeName(type: string | null): string {
  if (type === null) return 'No asset of the inventory'
  if (type === 'site') return 'Site'
  if (type === 'subnet') return 'Network'
  if (type === 'segment') return 'Seen by ARP'
  const device = deviceTypes.find((it) => it === type)
  if (device) return deviceTypeName(device)
  const asset = assetTypes.find((it) => it === type)
  return asset ? typeName(asset) : type
}
