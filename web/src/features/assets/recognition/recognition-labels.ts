import type { RecognitionDoubt, TellingScan } from '#api/generated/enums-and-inputs.ts'

/** Labels of recognition signals, of doubts, and of the scans that would give more signals. */

const SIGNALS: Readonly<Record<string, string>> = {
  mac: 'MAC address',
  mac_oui: 'MAC vendor',
  mac_locally_administered: 'Local MAC address',
  mac_virtual_router: 'Virtual router MAC',
  ip: 'IP address',
  hostname: 'Host name',
  os: 'Operating system',
  vendor: 'Maker',
  model: 'Model',
  hint: 'Maker and model',
  ports: 'Open ports',
  dhcp: 'DHCP options',
  dhcp_options: 'DHCP fingerprint',
  dhcpOptions: 'DHCP fingerprint',
  snmp_sysobjectid: 'SNMP sysObjectID',
  sysObjectId: 'SNMP sysObjectID',
  bacnetVendor: 'BACnet vendor identifier',
  snmp_sysdescr: 'SNMP sysDescr',
  neighbour: 'LLDP or CDP',
  industrial: 'Industrial protocol',
  ipp: 'IPP',
  mdns: 'mDNS',
  pjl: 'PJL',
  ssdp: 'SSDP',
  http: 'HTTP',
  favicon: 'Web page icon',
  rtsp: 'RTSP',
  sip: 'SIP',
  tls: 'TLS certificate',
  banner: 'Banner',
  ftp: 'FTP banner',
  ntp: 'NTP',
  smb: 'SMB',
  smtp: 'SMTP banner',
  ssh: 'SSH banner',
  telnet: 'Telnet banner',
  fallback: 'Nothing',
}

export const signalName = (source: string): string => SIGNALS[source] ?? source

const DOUBTS: Readonly<Record<RecognitionDoubt, string>> = {
  nothing_said: 'No signal says what it is.',
  maker_only: 'Signals tell who made it, none tells one of the device types.',
  names_and_addresses_only: 'All rests on names and addresses, which stay below 80%.',
  hint_only: 'All rests on what a source believes.',
  another_type: 'A signal says that it is something else.',
}

export const doubtText = (doubt: RecognitionDoubt): string => DOUBTS[doubt]

const SCANS: Readonly<Record<TellingScan, string>> = {
  sweep: 'a sweep reads its ports and banners',
  snmp: 'SNMP asks for its model',
  ssh: 'SSH asks a Unix machine',
  wmi: 'WMI asks a Windows machine',
}

/** One sentence; empty if no scan would add signals. */
export function suggestedScansText(scans: readonly TellingScan[]): string {
  if (scans.length === 0) return ''
  const parts = scans.map((scan) => SCANS[scan])
  const last = parts.at(-1) ?? ''
  const all = parts.length === 1 ? last : `${parts.slice(0, -1).join(', ')}, and ${last}`
  return `Scans would tell more: ${all}.`
}
