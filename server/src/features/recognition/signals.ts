import type { Basis } from './basis.ts'
import type { DeviceType } from './device-types.ts'

/** All that recognition looks at. Nothing here is looked up anywhere: not in the inventory, not in the network. */
export interface Signals {
  readonly mac?: string
  readonly ip?: string
  readonly hostname?: string
  /** What the caller believes: it refines, and alone proves little. */
  readonly vendor?: string
  readonly model?: string
  readonly sysObjectId?: string
  /** The identifier of the maker that ASHRAE assigns. */
  readonly bacnetVendor?: number
  /** Open TCP and UDP ports. */
  readonly ports?: readonly number[]
  /** The parameter request list of DHCP (option 55), in the order of the request. */
  readonly dhcpOptions?: readonly number[]
  /** What the device says of itself, in any protocol. */
  readonly texts?: readonly Text[]
}

export interface Text {
  readonly source: TextSource
  readonly text: string
  /** The text is a field that holds the maker's name. */
  readonly isMaker?: true
}

/** Where a text comes from. How much each is worth is measured: `confidence.ts`. */
export const textSources = [
  'industrial',
  'ipp',
  'mdns',
  'pjl',
  'ssdp',
  'neighbour',
  'snmp_sysdescr',
  'http',
  'favicon',
  'dhcp',
  'rtsp',
  'sip',
  'tls',
  'hint',
  'banner',
  'ftp',
  'ntp',
  'os',
  'smb',
  'smtp',
  'ssh',
  'telnet',
  'title',
  'hostname',
] as const
export type TextSource = (typeof textSources)[number]

/** Words that people choose: they are worth a host name, never a device's own word. */
export const isChosen = (source: TextSource): boolean => source === 'hostname' || source === 'title'

export type Source =
  | TextSource
  | 'snmp_sysobjectid'
  | 'dhcp_options'
  | 'ports'
  | 'mac_oui'
  | 'mac_virtual_router'
  | 'mac_locally_administered'
  | 'ip'
  | 'fallback'

/** Sources that repeat one another count once: the strongest of a family speaks for it. */
export function familyOf(source: Source): string {
  return families[source] ?? source
}

/** Of these alone, no answer reaches high confidence: they say who made a part or what somebody called it. */
export function isTelling(source: Source): boolean {
  return !nameOrAddress.has(source)
}

const families: Readonly<Partial<Record<Source, string>>> = {
  snmp_sysdescr: 'snmp',
  snmp_sysobjectid: 'snmp',
  favicon: 'http',
  title: 'http',
  dhcp_options: 'dhcp',
  mac_virtual_router: 'mac',
  mac_oui: 'mac',
}

const nameOrAddress: ReadonlySet<Source> = new Set([
  'mac_oui',
  'mac_virtual_router',
  'mac_locally_administered',
  'hostname',
  'title',
  'ip',
  'fallback',
])

/** One thing that one signal says. Without a type it speaks of the maker only. */
export interface Evidence {
  readonly source: Source
  /** What the statement of a text rests on. */
  readonly basis?: Basis
  /** 0 to 1: how likely this signal alone would be right. */
  readonly confidence: number
  readonly deviceType?: DeviceType
  /** Empty: not said. */
  readonly vendor: string
  readonly model: string
}
