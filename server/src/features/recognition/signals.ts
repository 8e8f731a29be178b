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
}

/**
 * How much a clear word from each kind of source is worth: the most that one such signal can earn. A device that
 * names its model in a management protocol is believed, a banner may belong to the service behind a port forward.
 */
export const textWorth = {
  industrial: 0.95,
  ipp: 0.9,
  mdns: 0.9,
  pjl: 0.9,
  ssdp: 0.9,
  neighbour: 0.9,
  snmp_sysdescr: 0.85,
  http: 0.8,
  favicon: 0.8,
  dhcp: 0.75,
  rtsp: 0.75,
  sip: 0.75,
  tls: 0.75,
  hint: 0.7,
  banner: 0.6,
  ftp: 0.6,
  ntp: 0.6,
  os: 0.6,
  smb: 0.6,
  smtp: 0.6,
  ssh: 0.6,
  telnet: 0.6,
  hostname: 0.45,
} as const
export type TextSource = keyof typeof textWorth

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
  dhcp_options: 'dhcp',
  mac_virtual_router: 'mac',
  mac_oui: 'mac',
}

const nameOrAddress: ReadonlySet<Source> = new Set([
  'mac_oui',
  'mac_virtual_router',
  'mac_locally_administered',
  'hostname',
  'ip',
  'fallback',
])

/** One thing that one signal says. Without a type it speaks of the maker only. */
export interface Evidence {
  readonly source: Source
  /** 0 to 1: how likely this signal alone would be right. */
  readonly confidence: number
  readonly deviceType?: DeviceType
  /** Empty: not said. */
  readonly vendor: string
  readonly model: string
}
