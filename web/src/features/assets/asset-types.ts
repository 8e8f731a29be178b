import {
  AppWindow,
  Boxes,
  Cloud,
  Cpu,
  Database,
  Factory,
  HardDrive,
  Layers,
  MonitorSmartphone,
  UserRound,
  Warehouse,
  type LucideIcon,
} from 'lucide-react'
import type { AssetType } from '#api/generated/enums-and-inputs.ts'

const TYPES: Readonly<Record<AssetType, readonly [string, LucideIcon]>> = {
  device: ['Device', MonitorSmartphone],
  virtual_machine: ['Virtual machine', Cpu],
  hypervisor: ['Hypervisor', Layers],
  cluster: ['Cluster', Boxes],
  datacenter: ['Data centre', Warehouse],
  datastore: ['Datastore', Database],
  cloud_resource: ['Cloud resource', Cloud],
  ot_device: ['OT device', Factory],
  software: ['Software', AppWindow],
  saas_account: ['SaaS account', HardDrive],
  user: ['User', UserRound],
}

export const typeName = (type: AssetType): string => TYPES[type][0]
export const iconOf = (type: AssetType): LucideIcon => TYPES[type][1]
export const assetTypes = Object.keys(TYPES) as readonly AssetType[]
